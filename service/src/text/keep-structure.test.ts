import { expect, test } from 'vitest'
import type { RichText } from '../families/record.ts'
import { convertText } from './convert-text.ts'

const convert = (body: string, to: RichText['format'], format: RichText['format'] = 'html') =>
  convertText({ format, body }, to)

test('code arrives in Redmine as typed, because Redmine escapes it itself', () => {
  const { body, losses } = convert(
    '<pre>if (a &lt; b &amp;&amp; "c") { &amp;lt; }</pre><p>and <code>&lt;b&gt;</code></p>',
    'textile',
  )
  expect(body).toBe('<pre>\nif (a < b && "c") { &lt; }\n</pre>\n\nand <code><b></code>')
  expect(losses).toEqual({})
})

test('code that would end its own block in Redmine becomes lines, and the loss is reported', () => {
  const { body, losses } = convert('<pre>&lt;/pre&gt;\n x</pre>', 'textile')
  expect(body).toBe('@&#60;&#47;pre&#62;@\n@&#160;x@')
  expect(losses).toEqual({ code_simplified: 1 })
})

test('characters with a meaning in Redmine are hidden from it, except in links and in other Markdown', () => {
  const text = '<p>See #1, @bob, r5 and {{toc}}. <a href="https://r.example/issues/2">#2</a></p>'
  expect(convert(text, 'textile').body).toBe(
    'See &#35;1, &#64;bob, &#114;5 and &#123;{toc}}. "#2":https://r.example/issues/2',
  )
  expect(convert(text, 'redmine_markdown').body).toBe(
    'See &#35;<span></span>1, &#64;<span></span>bob, &#114;<span></span>5 and &#123;<span></span>{toc}}. [#2](https://r.example/issues/2)',
  )
  expect(convert(text, 'markdown').body).toBe('See #1, @bob, r5 and {{toc}}. [#2](https://r.example/issues/2)')
})

test('texts of one Redmine stay unchanged in another Redmine with the same markup', () => {
  const body = 'See [[Page]], {{toc}} and @bob.'
  expect(convert(body, 'textile', 'textile')).toEqual({ body, losses: {} })
  expect(convert(body, 'redmine_markdown', 'redmine_markdown')).toEqual({ body, losses: {} })
  expect(convert(body, 'redmine_markdown', 'markdown').body).not.toBe(body)
})

test.each(['textile', 'redmine_markdown'] as const)(
  '%s: a reference that its author escaped becomes a link nowhere',
  (format) => {
    const code = format === 'textile' ? '@!#12@' : '`!#12`'
    const body = `!#12, (!#13-4) !##14 !#note-2 !version#3 !alpha:#5 ${code}\n\n![[a:b]] !{{toc}} !r45 !commit:f00 !source:a/b !@ada`
    expect(convert(body, format, format)).toEqual({ body, losses: {} })
    expect(convert(body, 'plain', format).body).toBe(
      '#12, (#13-4) ##14 #note-2 version#3 alpha:#5 !#12\n\n[[a:b]] {{toc}} r45 commit:f00 source:a/b @ada',
    )
    const other = format === 'textile' ? 'redmine_markdown' : 'textile'
    expect(convert('!#12', other, format).body).toMatch(/^&#35;(?:<span><\/span>)?12$/)
    // A text with unsafe content is rewritten.
    expect(convert('!#12 is none<script>x</script>', format, format).body).toMatch(
      /^&#35;(?:<span><\/span>)?12 is none$/,
    )
  },
)

test('videos, sounds and frames become links, and are counted', () => {
  const html =
    '<iframe src="//maps.example/m?a=1&amp;b=2" title="The map"></iframe><video><source src="/v.mp4">No video.</video><video src="/w.mp4"></video><iframe src="javascript:x"></iframe>'
  expect(convert(html, 'html')).toEqual({
    body: '<p><a href="https://maps.example/m?a=1&amp;b=2">The map</a> <a href="/v.mp4">/v.mp4</a> <a href="/w.mp4">/w.mp4</a></p>',
    losses: { embed_linked: 1, embed_removed: 1, video_linked: 2 },
  })
})

test('captions, folds and terms stay in HTML, and are reported as lost in formats without them', () => {
  const html =
    '<figure><img src="/a.png" alt="A"><figcaption>Cap</figcaption></figure><details><summary>More</summary><p>in</p></details><dl><dt>Tea</dt><dd>hot</dd></dl><table><caption>T</caption><tr><td>1</td></tr></table>'
  const kept = convert(`${html}<script></script>`, 'html')
  for (const tag of ['figcaption', 'summary', 'dt', 'dd', 'caption']) expect(kept.body).toContain(`</${tag}>`)
  expect(kept.losses).toEqual({ script_removed: 1 })
  expect(convert(html, 'textile').losses).toMatchObject({ caption_moved: 2, details_opened: 1, terms_listed: 1 })
  expect(convert(html, 'markdown').losses).toEqual({ caption_moved: 2, terms_listed: 1 })
  expect(convert(html, 'plain').body).toBe('A (/a.png)\n\nCap\n\nMore\n\nin\n\n- Tea\n  hot\n\nT\n1')
})

test('a link that Redmine cannot express is written beside its words', () => {
  const html = '<p><a href="tel:+49">call</a> <a href="#fn">1</a> <a href="a.html">page</a></p>'
  expect(convert(html, 'textile')).toEqual({
    body: 'call (tel:&#43;49) 1 page (a.html)',
    losses: { anchor_removed: 1, link_as_text: 2 },
  })
})

test('quotes of Redmine are read with their content', () => {
  expect(convert('> one\n>\n> * i\n>\n> <pre>\nx < y\n</pre>', 'html', 'textile').body).toBe(
    '<blockquote>\n<p>one</p>\n<ul>\n<li>i</li>\n</ul>\n<pre><code>x &lt; y</code></pre>\n</blockquote>',
  )
})

test('a caption in the old WordPress form, before figures, is recognised', () => {
  const html =
    '<div id="attachment_5" style="width: 310px" class="wp-caption alignnone"><a href="https://w.example/a.png"><img src="https://w.example/a.png" alt="A"></a><p id="caption-5" class="wp-caption-text">Our <b>cat</b></p></div><p class="wp-caption-text">Alone</p>'
  const kept = convert(html, 'html')
  expect(kept.body).toContain('<figcaption>Our <strong>cat</strong></figcaption>\n</figure>')
  expect(kept.body).toContain('<p>Alone</p>')
  expect(kept.losses).toEqual({})
  expect(convert(html, 'textile').losses).toEqual({ caption_moved: 1 })
})
