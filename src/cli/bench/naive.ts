import { createTwoFilesPatch } from 'diff'
import type { ProjectFile } from './project.ts'

/** The reading of an agent without a memory: the output of list, read, grep and diff. */

/** `find` and every file. */
export function listAndRead(files: readonly ProjectFile[]): string[] {
  return [files.map(({ path }) => `./${path}\n`).join(''), ...files.map(({ text }) => text)]
}

/** The lines with any of the words, ignoring case, and every file that contains one. */
export function grepAndRead(files: readonly ProjectFile[], query: string): string[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean)
  const hasWord = (line: string): boolean => words.some((word) => line.toLowerCase().includes(word))
  const found = files.map((file) => ({ file, lines: linesOf(file).filter(({ text }) => hasWord(text)) }))
  const matched = found.filter(({ lines }) => lines.length > 0)
  const grep = matched.flatMap(({ file, lines }) =>
    lines.map(({ number, text }) => `${file.path}:${number}:${text}\n`),
  )
  return [grep.join(''), ...matched.map(({ file }) => file.text)]
}

function linesOf({ text }: ProjectFile): { number: number; text: string }[] {
  return text
    .replace(/\n$/, '')
    .split('\n')
    .map((line, at) => ({ number: at + 1, text: line }))
}

/** `diff -u`, and the file in its new state. */
export function diffAndRead({ path, text }: ProjectFile, now: string): string[] {
  const patch = createTwoFilesPatch(`a/${path}`, `b/${path}`, text, now, '', '')
  return [patch.replace(/^=+\n/, ''), now]
}
