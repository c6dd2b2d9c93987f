import fc from 'fast-check'

/** Texts from real people and tools; each has some peculiarity. */
const written = [
  '<figure><img src="https://w.example/a.png" alt="A cat"><figcaption>Our <b>cat</b>, 2019</figcaption></figure>',
  '<figure><iframe src="https://www.youtube.com/embed/x1" title="The film"></iframe><figcaption>Film</figcaption></figure>',
  '<figure><figcaption>Only words</figcaption></figure>',
  '<figure class="gallery"><figure><img src="/1.png" alt="one"><figcaption>First</figcaption></figure><figure><img src="/2.png" alt="two"><figcaption>Second</figcaption></figure></figure>',
  '<div class="wp-caption"><img src="https://w.example/b.png" alt="B"><p class="wp-caption-text">Caption of old</p></div>',
  '<details><summary>More</summary><p>Hidden <i>words</i></p><ul><li>one</li></ul></details>',
  '<details open><summary>Outer</summary><details><summary>Inner</summary><p>deep</p></details></details>',
  '<details><p>No summary here</p></details>',
  '<dl><dt>Tea</dt><dd>Hot leaves</dd><dt>Milk</dt><dt>Cream</dt><dd>White</dd><dd>Cold</dd></dl>',
  '<dl><div><dt>In a div</dt><dd><p>One</p><p>Two</p></dd></div></dl>',
  '<dl><dt>Nested</dt><dd><dl><dt>inner</dt><dd>word</dd></dl></dd></dl><ul><li>after</li></ul>',
  '<p>Press <kbd>Ctrl</kbd>+<kbd>C</kbd>, see <samp>ok</samp>, <var>n</var>, <mark>marked</mark> and re<mark>mark</mark>able</p>',
  '<p>H<sub>2</sub>O and E=mc<sup>2</sup> and <sub>low</sub> <sup>high</sup></p>',
  '<p><abbr title="World Wide Web">WWW</abbr>, <abbr title="for example">e.g.</abbr> and <abbr>plain</abbr></p>',
  '<p>She said <q>hello <q>you</q></q>.</p>',
  '<video controls poster="/p.png"><source src="https://v.example/a.mp4"><source src="https://v.example/a.webm"></video>',
  '<p>Listen: <audio src="https://v.example/a.mp3?x=1&amp;y=2" title="Song"></audio></p>',
  '<object data="https://v.example/f.pdf" type="application/pdf"></object><embed src="https://v.example/g.pdf">',
  '<p>Text <iframe src="//maps.example/embed?a=1&amp;b=2"></iframe> after</p>',
  '<iframe srcdoc="<p>x</p>"></iframe><p>Only this</p>',
  '<table><caption>Prices, <b>2020</b></caption><thead><tr><th>What</th><th align="right">How much</th></tr></thead><tbody><tr><td>Tea</td><td align="right">3</td></tr></tbody></table>',
  '<table><tr><td><p>one</p><p>two</p></td><td><ul><li>a</li><li>b</li></ul></td></tr></table>',
  '<table><tr><td>a|b</td><td><code>x | y</code></td><td></td></tr><tr><td>c<br>d</td></tr></table>',
  '<table><caption>Lonely</caption></table>',
  '<ol start="7"><li>seven</li><li>eight<ul><li>in<ol><li>deeper</li></ol></li></ul></li></ol>',
  '<ul><li><p>one</p><p>two</p></li><li><pre>code in item</pre></li><li><blockquote>said</blockquote></li></ul>',
  '<ul><li><input type="checkbox" checked> done</li><li><input type="checkbox"> open</li></ul>',
  '<ul><li>a</li></ul><ul><li>b</li></ul><ol><li>c</li></ol><ol><li>d</li></ol>',
  '<blockquote><p>one</p><p>two</p><blockquote><p>three</p></blockquote><pre>x &lt; y</pre></blockquote>',
  '<pre>if (a &lt; b &amp;&amp; c) {\n  return "&amp;lt;"\n}\n\n\nend</pre>',
  '<pre><code class="language-c++">std::vector&lt;int&gt; v; // #12</code></pre>',
  '<pre>&lt;pre&gt;&lt;code&gt;nested&lt;/code&gt;&lt;/pre&gt;</pre><p>and <code>&lt;/code&gt;</code> too</p>',
  '<pre>```\nfence\n```\n~~~</pre><p><code>a`b</code> <code>c</code><code>d</code></p>',
  '<p>Ticket #1, ##2 (#3), #4-5, #6#note-7, r123, commit:f00ba4, @name, user:bob, document:"A b"</p>',
  '<p>{{toc}} {{include(Page)}} [[Wiki]] [[Wiki|name]] !image.png! attachment:a.png source:b/c@4#L5 foo:r9</p>',
  '<p>{{toc}}</p><h1>Head #5</h1><p>*#1* _@x_ -r2- "q":http://x.example/</p>',
  '<p>[gallery ids="1,2"] [caption]x[/caption] [embed]y[/embed] [1] [x]</p>',
  '<p>:) ;-) :D 8-) :lol: a:b 8:00</p><p>https://www.youtube.com/watch?v=abc</p>',
  '<p>__GHOST_URL__/x and {{title}} and %name%</p>',
  '<p>1. not a list</p><p>- nor this</p><p># nor this</p><p>&gt; nor this</p><p>h1. nor that</p><p>bq. x</p><p>|a|b|</p>',
  '<p>a*b* *c* _d_ __e__ ~f~ ^g^ `h` ~~i~~ ==j== ??k?? %l% +m+ -n- @o@ (c) -- ... 1x2 "p"</p>',
  '<p>&amp;amp; &lt;b&gt; AT&amp;T x%x% &#8203;zero &nbsp;hard&nbsp;space \\ backslash \\* $x$ <!-- gone --></p>',
  '<p><a href="https://x.example/a_(b)?c=1&amp;d=%20#e">brackets</a>, <a href="https://x.example/.">dot</a>. (<a href="https://x.example">x</a>)s</p>',
  '<p><a href="/rel?x=1&amp;y=2">rel</a> <a href="#fn1">1</a> <a href="tel:+4930123">call</a> <a href="mailto:a@b.example">a@b.example</a> <a href="page.html">page</a></p>',
  '<table><tr><td><a href="/rel?x=1&amp;y=2">cell</a></td></tr></table>',
  '<p><a href="https://x.example/"><img src="https://x.example/i.png" alt="pic"></a> <a href="https://x.example/y"><b>bold</b> and <code>code</code></a></p>',
  '<p>Text<sup><a href="#fn-1">1</a></sup></p><ol class="footnotes"><li>The note. <a href="#ref-1">↩</a></li></ol>',
  '<p><b>bold <i>both</i></b><b>next</b> in<b>side</b>word <b> spaced </b><u>under</u><s>struck</s></p>',
  '<h2>Head <code>x</code> #</h2><h6>six</h6><hr><p>one<br>two<br><br>four</p>',
  '<p>日本語のテキスト ünïcödé שלום 🎉 e\u0301</p><p>&#1;&#65533;</p>',
  '<p>See http://x.example/#12 and www.example.com/a_b_c and a.b@c.example</p>',
  '<div>One<div>Two</div>Three</div><center>four</center><address>five</address>',
]

const words = fc.constantFrom(
  ...[
    'tea',
    'snake_case',
    'C#',
    '#12',
    '@ann',
    'r5',
    '*x*',
    '_y_',
    '`z`',
    '[a]',
    '{{b}}',
    '[[c]]',
    ':)',
    '1.',
    '-',
    '|',
  ],
  ...['&amp;', '&lt;b&gt;', 'über', '漢字', 'http://x.example/a', 'user:ann', '"q"', '(x)', '!i!', 'end.'],
)
const text = fc.array(words, { minLength: 1, maxLength: 5 }).map((list) => list.join(' '))
const tags = ['strong', 'em', 'del', 'u', 'sub', 'sup', 'code', 'mark', 'kbd', 'q']
const line = fc
  .array(
    fc.oneof(
      text,
      fc.tuple(fc.constantFrom(...tags), text).map(([tag, inner]) => `<${tag}>${inner}</${tag}>`),
      text.map((inner) => `<a href="https://x.example/p?q=1&amp;r=2">${inner.replace(/http\S+/g, 'x')}</a>`),
      fc.constantFrom('<br>', '<img src="https://x.example/i.png" alt="pic">', '<abbr title="so to say">sts</abbr>'),
    ),
    { minLength: 1, maxLength: 4 },
  )
  .chain((pieces) => fc.constantFrom(' ', ' ', '').map((gap) => pieces.join(gap)))
const block = fc.oneof(
  fc.tuple(fc.constantFrom('p', 'h2', 'h4', 'div', 'blockquote', 'figcaption'), line).map(wrap),
  text.map((inner) => `<pre><code class="language-js">${inner}\n  ${inner}</code></pre>`),
  fc.tuple(line, line).map(([a, b]) => `<ul><li>${a}<ol><li>${b}</li></ol></li><li>${b}</li></ul>`),
  fc
    .tuple(line, line, text)
    .map(([a, b, c]) => `<table><caption>${c}</caption><tr><th>${a}</th><td>${b}</td></tr></table>`),
  fc.tuple(line, line).map(([a, b]) => `<details><summary>${a}</summary><p>${b}</p></details>`),
  fc.tuple(line, line).map(([a, b]) => `<dl><dt>${a}</dt><dd>${b}</dd></dl>`),
  fc.tuple(line, line).map(([a, b]) => `<figure><p>${a}</p><figcaption>${b}</figcaption></figure>`),
  fc.tuple(line, line).map(([a, b]) => `<blockquote><p>${a}</p><p>${b}</p></blockquote>`),
  fc.constantFrom(
    '<hr>',
    '<video src="https://v.example/v.mp4"></video>',
    '<iframe src="https://v.example/e"></iframe>',
  ),
)

function wrap([tag, inner]: [string, string]): string {
  return `<${tag}>${inner}</${tag}>`
}

/** 200 documents, the same every time. */
export const oddDocuments: readonly string[] = [
  ...written,
  ...fc.sample(
    fc.array(block, { minLength: 1, maxLength: 4 }).map((blocks) => blocks.join('\n')),
    { seed: 20_261_116, numRuns: 200 - written.length },
  ),
]
