const fill = (piece: string, length: number) => piece.repeat(Math.ceil(length / piece.length))

export const tenMegabytes = 10 * 1024 * 1024

/** HTML as people write it: paragraphs with links and pictures, and characters of two bytes or more. */
export const longHtml = fill(
  `<p>One <strong>two</strong> &amp; <a href="https://site.example/9">three</a> – naïve ${'word '.repeat(20)}<img src="https://site.example/a.png"></p>\n`,
  tenMegabytes,
)
export const longTextile = fill(
  `One *two* "three":https://site.example/9 #12 – naïve ${'word '.repeat(20)}\n\n`,
  tenMegabytes,
)
