type Rgb = [number, number, number]

/** The backgrounds that the accent colour appears on, light and dark. They are the same as in `ui/styles.css`. */
const grounds = {
  light: [
    [255, 255, 255],
    [246, 247, 247],
  ],
  dark: [
    [26, 30, 34],
    [18, 21, 24],
  ],
} satisfies Record<string, Rgb[]>

/** The contrast that WCAG AA requires for text, plus a little for rounding. */
const leastContrast = 4.6

/** Uses the partner's colour for buttons and links. Darkens or lightens it until the contrast is high enough. */
export function applyAccent(accent: string | null): void {
  const { style } = document.documentElement
  for (const theme of ['light', 'dark'] as const) {
    const name = `--accent-on-${theme}`
    if (accent === null || !/^#[0-9a-f]{6}$/i.test(accent)) style.removeProperty(name)
    else style.setProperty(name, legible(parse(accent), theme))
  }
}

function legible(colour: Rgb, theme: 'light' | 'dark'): string {
  const end = theme === 'light' ? 0 : 255
  for (let share = 0; share <= 1; share += 0.02) {
    const mixed = colour.map((part) => Math.round(part + (end - part) * share)) as Rgb
    if (grounds[theme].every((ground) => contrast(mixed, ground) >= leastContrast)) return `rgb(${mixed.join(' ')})`
  }
  return `rgb(${end} ${end} ${end})`
}

function parse(hex: string): Rgb {
  return [1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16)) as Rgb
}

/** https://www.w3.org/TR/WCAG22/#dfn-contrast-ratio */
function contrast(one: Rgb, other: Rgb): number {
  const [dark = 0, light = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b)
  return (light + 0.05) / (dark + 0.05)
}

function luminance(colour: Rgb): number {
  const [red = 0, green = 0, blue = 0] = colour.map((part) => {
    const share = part / 255
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}
