/**
 * The address of a site, from one that people copy from their browser in any form. `inside` matches the tool's own
 * pages at the end of the path, such as those of its administration.
 */
export const siteAddress = (given: string, inside: RegExp): string =>
  given
    .trim()
    .replace(/[?#].*$/, '')
    .replace(inside, '')
    .replace(/\/+$/, '')
