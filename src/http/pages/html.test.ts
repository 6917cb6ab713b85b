import { expect, test } from 'vitest'
import { html } from './html.ts'

test('a template escapes every value that is not markup', () => {
  const value = `<b a="1" c='2'>&amp;</b>`
  expect(html`<p title="${value}">${value}</p>`.text).toBe(
    '<p title="&lt;b a=&quot;1&quot; c=&#39;2&#39;&gt;&amp;amp;&lt;/b&gt;">' +
      '&lt;b a=&quot;1&quot; c=&#39;2&#39;&gt;&amp;amp;&lt;/b&gt;</p>',
  )
})

test('a template takes markup, lists and numbers as they are, and leaves out what is undefined or false', () => {
  const rows = ['<a>', 'b'].map((one) => html`<li>${one}</li>`)
  expect(html`<ul>${rows}</ul>${undefined}${false}${0}${''}`.text).toBe(
    '<ul><li>&lt;a&gt;</li><li>b</li></ul>0',
  )
})
