/** In this order: most browsers also claim to be those below them. */
const browsers = [
  [/\b(?:Edg|EdgA|EdgiOS)\//, 'Edge'],
  [/\b(?:OPR|Opera)\//, 'Opera'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\b(?:Firefox|FxiOS)\//, 'Firefox'],
  [/\b(?:Chrome|CriOS|Chromium|HeadlessChrome)\//, 'Chrome'],
  [/\bVersion\/.*\bSafari\//, 'Safari'],
] as const

const systems = [
  [/\b(?:iPhone|iPad)\b/, 'iOS'],
  [/\bAndroid\b/, 'Android'],
  [/\bWindows\b/, 'Windows'],
  [/\bMac OS X\b/, 'macOS'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bLinux\b/, 'Linux'],
] as const

/** A short name such as "Firefox on Linux"; null for a program that is none of the known browsers. */
export function nameBrowser(userAgent: string | undefined): string | null {
  const given = userAgent ?? ''
  const browser = browsers.find(([pattern]) => pattern.test(given))?.[1]
  if (browser === undefined) return null
  const system = systems.find(([pattern]) => pattern.test(given))?.[1]
  return system === undefined ? browser : `${browser} on ${system}`
}
