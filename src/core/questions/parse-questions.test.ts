import { describe, expect, test } from 'vitest'
import { parseQuestions, questionsOf } from './parse-questions.ts'

const parse = (text: string) => parseQuestions(text, 'questions.jsonl')

describe('a file of questions', () => {
  test('has one object on a line, with everything that must be found', () => {
    const text = [
      '{"question": "who is on call?", "nodes": ["25FHWVYdid1"], "words": ["Ada", "Ada"], "k": 3}',
      '{"question": "deploy", "paths": ["ops.md", "docs/"]}',
    ].join('\n')
    expect(parse(text)).toEqual([
      { question: 'who is on call?', nodes: ['25FHWVYdid1'], words: ['Ada', 'Ada'], k: 3, line: 1 },
      { question: 'deploy', paths: ['ops.md', 'docs/'], line: 2 },
    ])
    expect(questionsOf(parse(text))).toEqual([
      {
        question: 'who is on call?',
        expected: [
          { kind: 'node', value: '25FHWVYdid1' },
          { kind: 'word', value: 'Ada' },
        ],
        k: 3,
        line: 1,
      },
      {
        question: 'deploy',
        expected: [
          { kind: 'path', value: 'ops.md' },
          { kind: 'path', value: 'docs/' },
        ],
        k: undefined,
        line: 2,
      },
    ])
  })

  test('may have blank lines and comments, a byte order mark and Windows line ends', () => {
    const text = '\ufeff# what everybody asks\r\n\r\n  // and this\r\n{"question": "a", "words": ["b"]}\r\n'
    expect(parse(text)).toEqual([{ question: 'a', words: ['b'], line: 4 }])
  })

  test.each([
    ['', 'questions.jsonl: there is no question in it'],
    ['\n# nothing\n', 'questions.jsonl: there is no question in it'],
    ['# a\n{"question": "a"', 'questions.jsonl:2: this line is not JSON'],
    ['[]', 'questions.jsonl:1: a question is an object such as {"question"'],
    [
      '{"question": "a", "node": ["b"]}',
      'unknown member "node"; did you mean nodes? A question has: question, nodes, paths, words, k',
    ],
    [
      '{"question": "a", "zzzzzz": 1}',
      'unknown member "zzzzzz"; A question has: question, nodes, paths, words, k',
    ],
    ['{"question": "a", "line": 3}', 'unknown member "line"'],
    ['{"question": " ", "nodes": ["b"]}', 'question must be a text: what to search for'],
    ['{"nodes": ["b"]}', 'question must be a text'],
    ['{"question": "a"}', 'nothing is expected; add nodes, paths or words'],
    ['{"question": "a", "nodes": []}', 'nothing is expected'],
    ['{"question": "a", "nodes": "b"}', 'nodes must be a list of texts, such as {"nodes": ["…"]}'],
    ['{"question": "a", "words": [""]}', 'words must be a list of texts'],
    ['{"question": "a", "words": ["b"], "k": 0}', 'k must be a whole number from 1 to 200'],
    ['{"question": "a", "words": ["b"], "k": "10"}', 'k must be a whole number from 1 to 200'],
    ['{"question": "a", "nodes": ["b", "c"], "k": 1}', '2 nodes cannot be among the first 1 hit; raise k'],
  ])('is refused when it is %j', (text, problem) => {
    expect(() => parse(text)).toThrow(problem)
  })

  test('is refused with the first line at fault', () => {
    const good = '{"question": "a", "words": ["b"]}\n'
    expect(() => parse(`${good}\n${good}{"question": 1}\n{`)).toThrow('questions.jsonl:4: question must be')
  })
})

describe('a list of questions', () => {
  test('is checked like a file', () => {
    const question = { question: 'a', words: ['b'] }
    expect(questionsOf([question])).toEqual([
      { question: 'a', expected: [{ kind: 'word', value: 'b' }], k: undefined, line: undefined },
    ])
    expect(() => questionsOf([question, { question: 'b' }])).toThrow('questions[1]: nothing is expected')
    expect(() => questionsOf([])).toThrow('questions: give a list of objects')
  })
})
