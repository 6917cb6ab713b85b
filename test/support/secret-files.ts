import { secretOf } from './secrets.ts'

export const SECRET = secretOf('github_pat')
/** The value of an assignment, which only its name and its quotes tell from any other words. */
export const WORDS = 'Correct horse battery'
export const ASSIGNED = `DB_PASSWORD="${WORDS}"`
export const ENCODED = `DB_PASSWORD=&quot;${WORDS}&#34;`
export const SPLIT = `DB_PASSWORD=<span class="s2">&quot;Correct <b>horse</b> battery&quot;</span>`

/**
 * Every format that can be compiled, with a secret in every place that its text may have. A new parser fails the test
 * until it has its line here.
 */
export const FILES: Record<string, string> = {
  '.md': `---
title: front ${SECRET}
${SECRET}: as a key
list: [${SECRET}, "${SECRET}"]
---

# Heading ${SECRET}

Text ${SECRET}, **${SECRET}** and [a link](https://example.org/${SECRET} "${SECRET}"), [[Label ${SECRET}; source=${SECRET}.md; id=${SECRET}]].

- item ${SECRET}
  - inner ${SECRET}

| head ${SECRET} | b |
| --- | --- |
| cell ${SECRET} | ${SECRET} |

> quote ${SECRET}

![image ${SECRET}](${SECRET}.png)

\`\`\`sh ${SECRET}
curl -H "X: ${SECRET}" ${SECRET}
\`\`\`

    indented ${SECRET}

<div title="${SECRET}">html ${SECRET}</div>

Term ${SECRET}
: definition ${SECRET}

# ${ASSIGNED}

${ASSIGNED}, **${ASSIGNED}**, \`${ASSIGNED}\`, \`${ENCODED}\`, ${ENCODED}, [a](b '${ASSIGNED}'), ![${ASSIGNED}](x "${ENCODED}")

${SPLIT}

- ${ASSIGNED}

| ${ASSIGNED} |
| --- |
| ${ENCODED} |

\`\`\`sh
${ASSIGNED}
${ENCODED}
\`\`\`

<pre title='${ASSIGNED}' lang="${ENCODED}">
${ASSIGNED} ${ENCODED} <!-- ${ASSIGNED} -->
</pre>

<div>
${SPLIT}
</div>
`,
  '.markdown': `+++\ntitle = "${SECRET}"\nnote = '${ASSIGNED}'\nother = ${JSON.stringify(ASSIGNED)}\n"${SECRET}" = 1\n# ${SECRET}\n+++\n${SECRET}\n${'='.repeat(20)}\n`,
  '.mdx': `import X from '${SECRET}'\n\nexport const a = { b: '${SECRET}' }\n\n# ${SECRET}\n\n<X a={"${SECRET}"} b='${ASSIGNED}'>\n  ${SECRET} {/* ${SECRET} */}\n</X>\n`,
  '.txt': `${SECRET}\n\n[[${SECRET}; source=${SECRET}]] ${ASSIGNED}\n`,
  '.text': `${SECRET} ${ASSIGNED}\n`,
  '.html': `<title>${SECRET}</title><h1>${SECRET}</h1><p title="${SECRET}">${SECRET}<pre>${SECRET}</pre><ul><li>${SECRET}</ul>
<table><tr><th>${SECRET}<tr><td>${SECRET}</table><img src="${SECRET}.png" alt="${SECRET}"><iframe src="https://e.org/${SECRET}"></iframe>
<svg><title>${SECRET}</title></svg><!-- ${SECRET} --><script>"${SECRET}"</script><math><mi>${SECRET}</mi></math>
<p>a <math><mi>${SECRET}</mi></math> b <math><mtext>${ENCODED}</mtext></math> c <math><foo>${ENCODED}</foo></math></p>
<math><mtext>${SPLIT}</mtext></math><math><mi href='${ASSIGNED}'>${ENCODED}</mi></math>
<h2>${ASSIGNED}</h2><p>${ENCODED}</p><p>${SPLIT}</p><pre>${ENCODED}</pre><pre><code>${SPLIT}</code></pre><ul><li>${ENCODED}<li>${SPLIT}</ul>
<table><tr><th>${SPLIT}<tr><td>${ENCODED}</table><blockquote>${SPLIT}<pre>${SPLIT}</pre></blockquote>
<img src=x alt='${ASSIGNED}' title="${ENCODED}"><a href="y" title="${ENCODED}">z</a> <knowledge source='${ASSIGNED}'>${SPLIT}</knowledge>
<svg aria-label="${ENCODED}"><text title='${ASSIGNED}'>${ENCODED}</text><!-- ${ASSIGNED} --></svg><svg><text>${SPLIT}</text></svg>`,
  '.htm': `<p>${SECRET}<p>${ENCODED}`,
  '.yaml': `${SECRET}: 1\na: ${SECRET}\nb: [${SECRET}]\nc:\n  d: |\n    ${SECRET}\n    ${ASSIGNED}\n# ${SECRET}\ne: '${ASSIGNED}'\n'${ASSIGNED}': [${ASSIGNED}, '${ENCODED}']\n`,
  '.yml': `- ${SECRET}\n- a: ${SECRET}\n- ${ASSIGNED}\n`,
  '.json': JSON.stringify({
    a: SECRET,
    [SECRET]: 1,
    list: [SECRET, { b: SECRET }],
    c: [ASSIGNED, { [ASSIGNED]: `export ${ASSIGNED}` }],
  }),
  '.jsonl': `${JSON.stringify({ a: SECRET })}\n${JSON.stringify([SECRET, ASSIGNED])}\n`,
  '.ndjson': `${JSON.stringify(`${SECRET} ${ASSIGNED}`)}\n`,
  '.toon': `a: ${SECRET}\nlist[2]: ${SECRET},${JSON.stringify(ASSIGNED)}\nb: ${JSON.stringify(ASSIGNED)}\n`,
}

/** Of every format a file that does not parse, at the very place where the secret is: the reason may be kept. */
export const BROKEN: Record<string, string> = {
  '.md': `---\n${SECRET}: *${SECRET}\n---\n`,
  '.markdown': `+++\n${SECRET} ${SECRET}\n+++\n`,
  '.yaml': `${SECRET}: *${SECRET}\n`,
  '.yml': `a: !${SECRET} ${SECRET}\n`,
  '.json': `{ "a": ${SECRET} }`,
  '.jsonl': `{}\n${SECRET}\n`,
  '.ndjson': `"${SECRET}\n`,
  '.toon': `list[2]: ${SECRET}\n  ${SECRET}\n`,
}
