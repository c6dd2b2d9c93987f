import { expect, test } from 'vitest'
import type { RichText } from '../families/record.ts'
import { convertText, listLinks, rewriteLinks } from './convert-text.ts'

type Format = RichText['format']
const converted = (format: Format, to: Format, body: string) => convertText({ format, body }, to).body

test.each<[Format, Format, string, string]>([
  [
    'plain',
    'html',
    'a < b & "c"\nnext\n\nsee https://x.org/a_(b).',
    '<p>a &lt; b &amp; &quot;c&quot;<br>next</p>\n<p>see <a href="https://x.org/a_(b)">https://x.org/a_(b)</a>.</p>',
  ],
  ['plain', 'markdown', '# not a heading\n*not bold*', '\\# not a heading\\\n\\*not bold\\*'],
  ['plain', 'textile', 'h1. not a heading', 'h1&#46; not a heading'],
  [
    'html',
    'plain',
    '<p>Hi <b>you</b> <a href="https://x.org">there</a></p><blockquote>old<br>words</blockquote>',
    'Hi you there (https://x.org)\n\n> old\n> words',
  ],
  ['html', 'plain', '<ul><li>a<ol><li>b</li></ol></li><li>c &amp; d</li></ul>', '- a\n  1. b\n- c & d'],
  ['html', 'plain', '<table><tr><th>a</th><th>b</th></tr><tr><td>1</td><td>2</td></tr></table>', 'a | b\n1 | 2'],
  [
    'html',
    'markdown',
    '<h2>T</h2><p><b>bold</b>, <i>em</i> and <s>gone</s> <code>x</code></p>',
    '## T\n\n**bold**, _em_ and ~~gone~~ `x`',
  ],
  ['html', 'markdown', '<ul><li>a<ul><li>b</li></ul></li></ul><ol start="3"><li>c</li></ol>', '- a\n  - b\n\n3. c'],
  [
    'html',
    'markdown',
    '<ul><li><input type="checkbox" checked> done</li><li><input type="checkbox"> open</li></ul>',
    '- [x] done\n- [ ] open',
  ],
  [
    'html',
    'markdown',
    '<table><tr><th>a</th><th align="right">b</th></tr><tr><td>1|2</td><td>3<br>4</td></tr></table>',
    '| a | b |\n| --- | --: |\n| 1\\|2 | 3<br>4 |',
  ],
  [
    'html',
    'markdown',
    '<pre><code class="language-ruby">puts 1 &lt; 2\n\n```</code></pre>',
    '````ruby\nputs 1 < 2\n\n```\n````',
  ],
  ['html', 'markdown', '<p>1. a_b *c* [d] &amp;lt;</p>', '1\\. a_b \\*c\\* \\[d\\] \\&lt;'],
  [
    'html',
    'textile',
    '<h1>T</h1><p><b>b</b> <i>e</i> <s>d</s> <code>c</code> <a href="https://x.org/y">t</a></p>',
    'h1. T\n\n*b* _e_ -d- @c@ "t":https://x.org/y',
  ],
  [
    'html',
    'textile',
    '<ul><li>a<ol><li>b</li></ol></li></ul><blockquote>q</blockquote><hr>',
    '* a\n*# b\n\nbq. q\n\n---',
  ],
  [
    'html',
    'textile',
    '<pre><code class="language-ruby">a &lt; b</code></pre>',
    '<pre><code class="ruby">\na < b\n</code></pre>',
  ],
  [
    'html',
    'textile',
    '<table><tr><th>a</th></tr><tr><td>1</td></tr></table><p><img src="a.png" alt="pic"></p>',
    '|_. a |\n| 1 |\n\n!a.png(pic)!',
  ],
  [
    'markdown',
    'html',
    '# T\n\n- [x] a\n\n```js\nb\n```',
    '<h1>T</h1>\n<ul>\n<li><input type="checkbox" checked disabled> a</li>\n</ul>\n<pre><code class="language-js">b</code></pre>',
  ],
  ['markdown', 'textile', '**b** [t](https://x.org)', '*b* "t":https://x.org'],
  ['markdown', 'plain', '> q\n\n`c` ~~d~~', '> q\n\nc d'],
  [
    'textile',
    'html',
    'h2. T\n\n* a\n** b\n\nsay "hi" -- (c) https://x.org',
    '<h2>T</h2>\n<ul>\n<li>a<ul>\n<li>b</li>\n</ul></li>\n</ul>\n<p>say &quot;hi&quot; -- (c) <a href="https://x.org">https://x.org</a></p>'.replace(
      '<li>a<ul>',
      '<li>a\n<ul>',
    ),
  ],
  [
    'textile',
    'markdown',
    '> quoted\n> words\n\n@x@ "t":https://x.org',
    '> quoted\\\n> words\n\n`x` [t](https://x.org)',
  ],
  ['textile', 'plain', '*b* _e_\n|a|b|', 'b e\n|a|b|'],
])('%s becomes %s', (format, to, body, expected) => {
  expect(converted(format, to, body)).toBe(expected)
})

test('safe markup stays unchanged, byte for byte, in its own format', () => {
  const kept: [Format, string][] = [
    ['plain', 'a\r\n<b>\0 '],
    ['html', '<P>one<p>two <B>b</B><br/>&nbsp;<a href=/x>y</a>'],
    ['markdown', '* a\n* b\n\n__x__ <br> [t]( https://x.org )\n'],
    ['textile', '{{toc}}\n\np(note){color:red}. *b*  "t":https://x.org\n\n<pre>\n<script>\n</pre>\n'],
  ]
  for (const [format, body] of kept) expect(convertText({ format, body }, format)).toEqual({ body, losses: {} })
})

const loading = [
  'table{background:url(https://spy.example/x)}.\n|a|b|',
  'table(wide){color:red;background: URL (//spy.example/x)}. \n{font-weight:bold}. |a|b|',
  'table{background:u\\72l(https://spy.example/x)}.\n|a|b|',
  'p{background:url(https://spy.example/x)}. a',
  '*{background:url(https://spy.example/x)} a',
  'dl{background:url(https://spy.example/x)}. a',
  '|{background:url(https://spy.example/x)}. a|',
  'x{background:image-set("https://spy.example/x" 1x)}y',
]

test.each(loading)('a style that loads something is removed: %s', (body) => {
  const kept = convertText({ format: 'textile', body }, 'textile').body
  // A brace written as an entity is never a macro.
  expect(kept.replaceAll('&#123;', '')).not.toMatch(/\{[^}\n]*(?:url|u\\72l|image-set)/i)
  expect(convertText({ format: 'textile', body: kept }, 'html').body).not.toContain('style')
})

test('a table of Textile is a table, with or without a style of its own', () => {
  const html = '<table>\n<tbody>\n<tr><td>a</td><td>b</td></tr>\n</tbody>\n</table>'
  for (const start of ['', 'table.\n', 'table{border:1px solid}. \n', 'table(wide).\n(first). ']) {
    const body = `${start}|a|b|`
    expect(converted('textile', 'html', body), start).toBe(html)
    expect(convertText({ format: 'textile', body }, 'textile')).toEqual({ body, losses: {} })
  }
  const styled = { format: 'textile' as const, body: 'table{background:url(https://spy.example/x)}.\n|a|b|' }
  expect(convertText(styled, 'textile')).toEqual({ body: '| a | b |', losses: { style_removed: 1 } })
})

test('an element that is left open does not affect the page around it', () => {
  expect(converted('html', 'html', '<p>a <b>b')).toBe('<p>a <strong>b</strong></p>')
})

test('quoted mail from Gmail and Outlook keeps its lines and its quote', () => {
  const gmail =
    '<div dir="ltr">Thanks!<div><br></div><div>Bye</div></div><br><div class="gmail_quote"><div dir="ltr" class="gmail_attr">On Mon, Ann &lt;<a href="mailto:ann@x.org">ann@x.org</a>&gt; wrote:<br></div><blockquote class="gmail_quote" style="margin:0"><div>Hello</div><div>there</div></blockquote></div>'
  expect(converted('html', 'plain', gmail)).toBe(
    'Thanks!\n\nBye\n\nOn Mon, Ann <ann@x.org> wrote:\n\n> Hello\n>\n> there',
  )
  const outlook =
    '<html><head><title>x</title><style>p.MsoNormal{margin:0}</style></head><body lang=EN-US><div class=WordSection1><p class=MsoNormal>Hi,<o:p></o:p></p><p class=MsoNormal><o:p>&nbsp;</o:p></p><!--[if mso]>no<![endif]--><b>From:</b> Bob</div></body></html>'
  const { body, losses } = convertText({ format: 'html', body: outlook }, 'markdown')
  expect(body).toBe('Hi,\n\n&#160;\n\n**From:** Bob'.replace('**From:**', '<strong>From:</strong>'))
  expect(losses).toEqual({ style_removed: 1 })
})

test('WordPress blocks and Ghost cards are copied without their wrapping', () => {
  const blocks =
    '<!-- wp:heading --><h2 class="wp-block-heading">T</h2><!-- /wp:heading -->\n<!-- wp:image {"id":5} --><figure class="wp-block-image"><img src="https://w.example/a.png" alt="A"/><figcaption class="wp-element-caption">Cap</figcaption></figure><!-- /wp:image -->\n<!-- wp:code --><pre class="wp-block-code"><code>x = 1</code></pre><!-- /wp:code -->'
  expect(converted('html', 'markdown', blocks)).toBe('## T\n\n![A](https://w.example/a.png)\n\nCap\n\n```\nx = 1\n```')
  const ghost =
    '<figure class="kg-card kg-embed-card"><iframe src="https://v.example/1"></iframe><figcaption>Film</figcaption></figure><div class="kg-card kg-callout-card"><div class="kg-callout-emoji">💡</div><div class="kg-callout-text">Note</div></div><figure class="kg-card kg-bookmark-card"><a class="kg-bookmark-container" href="https://b.example/"><div class="kg-bookmark-title">Mark</div></a></figure>'
  expect(convertText({ format: 'html', body: ghost }, 'markdown')).toEqual({
    body: '<https://v.example/1>\n\nFilm\n\n💡\n\nNote\n\n[Mark](https://b.example/)',
    losses: { caption_moved: 1, embed_linked: 1 },
  })
})

test('Request Tracker quoting and Redmine macros stay readable text', () => {
  expect(converted('plain', 'html', '> why?\n\nbecause')).toBe('<p>&gt; why?</p>\n<p>because</p>')
  expect(converted('textile', 'markdown', '{{toc}}\n\nSee [[Wiki]] and #12')).toBe(
    '{{toc}}\n\nSee \\[\\[Wiki\\]\\] and #12',
  )
})

test('a cell with a list in it becomes lines, and the loss is reported', () => {
  const body = '<table><tr><td><ul><li>a</li><li>b</li></ul></td></tr></table>'
  expect(convertText({ format: 'html', body }, 'markdown')).toEqual({
    body: '|  |\n| --- |\n| a<br>b |',
    losses: { table_flattened: 1 },
  })
  expect(converted('html', 'html', `${body}<script></script>`)).toContain('<li>b</li>')
})

test.each<[Format, string, string]>([
  [
    'html',
    '<A HREF="/a?x=1&amp;y">t</A> <img alt=p src=/a> /a <a href=\'/b\'>',
    '<A HREF="/new?x=1&amp;y">t</A> <img alt=p src="/new"> /a <a href=\'/b\'>',
  ],
  [
    'markdown',
    '`[c](/a)` [t](/a "x") ![i](</a>) <a href="/a">\n\n> - [r][1]\n\n[1]: /a',
    '`[c](/a)` [t](/new "x") ![i](</new>) <a href="/new">\n\n> - [r][1]\n\n[1]: /new',
  ],
  ['textile', '"t":/a, !/a(alt)! <pre>"t":/a</pre> /ab', '"t":/new, !/new(alt)! <pre>"t":/a</pre> /ab'],
  ['plain', 'see http://x.org/a, or http://x.org/b', 'see http://x.org/new, or http://x.org/b'],
])('addresses in %s are changed and nothing else', (format, body, expected) => {
  const change = (url: string) => (/\/a(?:$|\?)/.test(url) ? url.replace(/\/a(?=$|\?)/, '/new') : null)
  expect(rewriteLinks(body, format, change)).toBe(expected)
})

test('links and pictures are listed once, in every format', () => {
  expect(listLinks('<a href="/a?x&amp;y">t</a><img src=b><a href="/a?x&amp;y">', 'html')).toEqual(['/a?x&y', 'b'])
  expect(listLinks('[t](/a) ![i](b) https://x.org `[n](/n)`', 'markdown')).toEqual(['/a', 'b', 'https://x.org'])
  expect(listLinks('"t":/a !b! https://x.org @http://n.org@', 'textile')).toEqual(['/a', 'b', 'https://x.org'])
  expect(listLinks('see https://x.org.', 'plain')).toEqual(['https://x.org'])
})
