import { Parser } from 'htmlparser2'
import { expect, test } from 'vitest'
import { convertText } from './convert-text.ts'

const payloads = [
  '<script>alert(1)</script>',
  '<SCRIPT SRC=//evil.example/x.js></SCRIPT>',
  '<scr<script>ipt>alert(1)</scr</script>ipt>',
  '<script/x>alert(1)</script>',
  '<script\n>alert(1)</script\n>',
  '<script>alert(1)',
  '<<script>alert(1)//<</script>',
  '<img src=x onerror=alert(1)>',
  '<img/src=x/onerror=alert(1)>',
  '<img src="x" onerror="alert(1)"',
  '<img src=x:x onerror=alert(1)>',
  '<img src="javascript:alert(1)">',
  '<img src="data:image/svg+xml,<svg onload=alert(1)>">',
  '<img src="data:text/html,<script>alert(1)</script>">',
  '<IMG """><SCRIPT>alert(1)</SCRIPT>">',
  '<img src=`javascript:alert(1)`>',
  '<img srcset="x 1x, javascript:alert(1) 2x">',
  '<img lowsrc="javascript:alert(1)">',
  '<img dynsrc="javascript:alert(1)">',
  '<svg onload=alert(1)>',
  '<svg><script>alert(1)</script></svg>',
  '<svg><a xlink:href="javascript:alert(1)"><text>x</text></a></svg>',
  '<svg><animate onbegin=alert(1) attributeName=x>',
  '<math><mtext><table><mglyph><style><img src=x onerror=alert(1)>',
  '<math href="javascript:alert(1)">x</math>',
  '<a href="javascript:alert(1)">x</a>',
  '<a href="JaVaScRiPt:alert(1)">x</a>',
  '<a href="java\tscript:alert(1)">x</a>',
  '<a href="java\nscript:alert(1)">x</a>',
  '<a href="java\0script:alert(1)">x</a>',
  '<a href=" &#14; javascript:alert(1)">x</a>',
  '<a href="&#106;&#97;vascript:alert(1)">x</a>',
  '<a href="javascript&colon;alert(1)">x</a>',
  '<a href="jav&#x09;ascript:alert(1)">x</a>',
  '<a href="&#x6A&#x61vascript:alert(1)">x</a>',
  '<a href="vbscript:msgbox(1)">x</a>',
  '<a href="data:text/html,<script>alert(1)</script>">x</a>',
  '<a href="\u200bjavascript:alert(1)">x</a>',
  '<a href="\u0001javascript:alert(1)">x</a>',
  '<a href=javascript:alert(1)>x</a>',
  "<a href='javascript:alert(1)'>x</a>",
  '<a href="feed:javascript:alert(1)">x</a>',
  '<a href="x" onclick="alert(1)">x</a>',
  '<a href="https://ok.example" onmouseover=alert(1) style="x:expression(alert(1))">x</a>',
  '<iframe src="javascript:alert(1)"></iframe>',
  '<iframe srcdoc="<script>alert(1)</script>">',
  '<object data="javascript:alert(1)">',
  '<embed src="javascript:alert(1)">',
  '<form action="javascript:alert(1)"><input type=submit></form>',
  '<button formaction="javascript:alert(1)">x</button>',
  '<input autofocus onfocus=alert(1)>',
  '<textarea autofocus onfocus=alert(1)>x</textarea>',
  '<select onfocus=alert(1)><option>x</select>',
  '<video><source onerror=alert(1)></video>',
  '<audio src=x onerror=alert(1)>',
  '<details open ontoggle=alert(1)>x</details>',
  '<body onload=alert(1)>',
  '<meta http-equiv=refresh content="0;url=javascript:alert(1)">',
  '<link rel=stylesheet href="javascript:alert(1)">',
  '<base href="javascript:alert(1)//">',
  '<style>@import "javascript:alert(1)"</style>',
  '<p style="background:url(javascript:alert(1))">x</p>',
  '<noscript><p title="</noscript><img src=x onerror=alert(1)>">',
  '<!--><img src=x onerror=alert(1)>-->',
  '<!--[if IE]><script>alert(1)</script><![endif]-->',
  '<![CDATA[<script>alert(1)</script>]]>',
  '<?xml <script>alert(1)</script>?>',
  '<title><img src=x onerror=alert(1)></title>',
  '<textarea></textarea><img src=x onerror=alert(1)>',
  '<xmp><img src=x onerror=alert(1)></xmp>',
  '<plaintext><img src=x onerror=alert(1)>',
  '<template><script>alert(1)</script></template>',
  '<table background="javascript:alert(1)"><tr><td>x</td></tr></table>',
  '<marquee onstart=alert(1)>x</marquee>',
  '<isindex type=image src=1 onerror=alert(1)>',
  '<x onclick=alert(1)>x</x>',
  '<p/onclick=alert(1)>x</p>',
  '[x](javascript:alert(1))',
  '[x](JAVASCRIPT:alert(1))',
  '[x](java&#115;cript:alert(1))',
  '[x](<javascript:alert(1)>)',
  '![x](javascript:alert(1))',
  '[x]: javascript:alert(1)\n\n[x]',
  '<javascript:alert(1)>',
  '[x](data:text/html;base64,PHNjcmlwdD4=)',
  '![x"onerror="alert(1)](https://ok.example/a.png)',
  '[x](https://ok.example "a\\" onclick=\\"alert(1)")',
  '```"><script>alert(1)</script>\nx\n```',
  '"x":javascript:alert(1)',
  '!javascript:alert(1)!',
  '"x(a\\" onclick=alert(1))":https://ok.example',
  '%{background:url(javascript:alert(1))}x%',
  'p{behavior:url(x)}. x',
  '==<script>alert(1)</script>==',
  '<notextile><script>alert(1)</script></notextile>',
  '!https://ok.example/a.png(x" onerror="alert(1))!',
  '"x":vbscript:msgbox(1)',
]

const tags = new Set(
  (
    'p br h1 h2 h3 h4 h5 h6 strong em del u sub sup code pre blockquote ul ol li a img table thead tbody tr th td hr ' +
    'input b i s mark abbr caption figure figcaption details summary dl dt dd'
  ).split(' '),
)
const attributes = new Set('href src alt title start class align type checked disabled'.split(' '))

/** Lists the dangers in HTML that a browser would get. It deliberately shares no code with the code under test. */
function problemsOf(html: string): string[] {
  const problems: string[] = []
  const parser = new Parser({
    onopentag(name, attribs) {
      if (!tags.has(name)) problems.push(`<${name}>`)
      for (const [attribute, value] of Object.entries(attribs)) {
        if (!attributes.has(attribute)) problems.push(attribute)
        const scheme = /^([a-z][^/?#]*?):/i.exec(value.replace(/[\p{C}\s]/gu, ''))?.[1]?.toLowerCase()
        if (
          ['href', 'src'].includes(attribute) &&
          scheme &&
          !['http', 'https', 'mailto', 'tel', 'cid'].includes(scheme)
        )
          problems.push(value)
      }
    },
    oncomment: (text) => void problems.push(text),
    onprocessinginstruction: (name) => void problems.push(name),
  })
  parser.write(html)
  parser.end()
  return problems
}

for (const format of ['html', 'markdown', 'textile', 'plain'] as const) {
  test(`no executable code survives hostile ${format}`, () => {
    expect(payloads.length).toBeGreaterThan(60)
    for (const payload of payloads) {
      for (const body of [payload, `<b>before ${payload} after`, `* ${payload}\n\n> ${payload}`]) {
        expect(problemsOf(convertText({ format, body }, 'html').body), body).toEqual([])
      }
    }
  })

  test(`hostile ${format} stays harmless when it is converted on to Markdown or Textile`, () => {
    for (const body of payloads) {
      for (const through of ['markdown', 'textile'] as const) {
        const between = convertText({ format, body }, through).body
        expect(
          problemsOf(convertText({ format: through, body: between }, 'html').body),
          `${body} as ${between}`,
        ).toEqual([])
      }
    }
  })
}

test('Markdown and Textile with a dangerous address are rewritten', () => {
  expect(convertText({ format: 'markdown', body: '[x](javascript:alert(1))' }, 'markdown')).toEqual({
    body: 'x',
    losses: { link_removed: 1 },
  })
  expect(convertText({ format: 'textile', body: '"x":javascript:alert' }, 'textile')).toEqual({
    body: 'x',
    losses: { link_removed: 1 },
  })
  expect(convertText({ format: 'markdown', body: 'a <script>b</script> c' }, 'markdown')).toEqual({
    body: 'a c',
    losses: { script_removed: 1 },
  })
})

test('removed markup is reported by its kind', () => {
  const body =
    '<p style="x">a<script>1</script><script>2</script><iframe src="https://v.example"></iframe><style>p{}</style></p>'
  expect(convertText({ format: 'html', body }, 'html')).toEqual({
    body: '<p>a <a href="https://v.example">https://v.example</a></p>',
    losses: { embed_linked: 1, script_removed: 1, style_removed: 1 },
  })
})
