export const FILE = `# Guide

Introduction to everything.

## Setup

Install the tool first.

Configure it afterwards.

## Usage

Run it daily.
`
/** Changed, but not where any of the agents' edits below are. */
export const CHANGED_ELSEWHERE = `Before all else.\n\n${FILE}\nNew at the end.\n`
export const OUTLINE = [
  'Guide',
  '  Introduction to everything.',
  '  Setup',
  '    Install the tool first.',
  '    Configure it afterwards.',
  '  Usage',
  '    Run it daily.',
]
