import { given } from '../../../util/given.ts'
import { object, text } from '../../model/schema.ts'
import { defineTool } from '../define-tool.ts'
import { lineAnswer, TEXT_OUTPUT } from './answer.ts'
import { KEY, keySize, TAGS } from './arguments.ts'

export const rememberBlob = defineTool({
  name: 'remember_blob',
  title: 'Remember blob',
  description: 'Save bytes under a key: an image or any other file. They are found by key and tags.',
  hint: 'remember a picture, binary',
  toolset: 'keys',
  effect: 'sets',
  input: object({
    key: KEY,
    data: text('The bytes in Base64', { mayBeEmpty: true }),
    content_type: text('MIME type, such as image/png', { mayBeEmpty: true }),
    tags: TAGS,
  }),
  output: TEXT_OUTPUT,
  logged: ({ key, data, tags }) => ({ ...keySize(key), data_bytes: data.length, tags: tags?.length }),

  async call({ memory }, { key, data, content_type: contentType, tags }) {
    const status = await memory.keys.rememberBlob({ key, data, contentType, ...given({ tags }) })
    const said = status === 'stored' ? 'Stored' : 'Updated'
    return lineAnswer(memory.keys, `${said} blob memory '${key}'.`)
  },
})
