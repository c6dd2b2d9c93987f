/** Stands for a number that JSON.stringify cannot write. */
const rawMark = '@@raw:'

/** A number as it stands in JSON, such as 9007199254740993. */
export const rawNumber = (digits: string) => `${rawMark}${digits}@@`

/** JSON with raw numbers and with lone surrogates as they arrive. */
export const toJson = (value: unknown): string => JSON.stringify(value).replace(/"@@raw:(-?[\d.eE+]+)@@"/g, '$1')

export const gone = Symbol('the name is not there')

/** Values that a field may hold against its documentation. */
export const oddValues: readonly (readonly [name: string, value: unknown])[] = [
  ['missing', gone],
  ['null', null],
  ['empty text', ''],
  ['blank text', ' \n '],
  ['"true"', 'true'],
  ['true', true],
  ['false', false],
  ['zero', 0],
  ['minus one', -1],
  ['a fraction', 1.5],
  ['a huge id', rawNumber('9007199254740993')],
  ['a huge number', rawNumber('1e308')],
  ['a huge negative id', rawNumber('-9007199254740993')],
  ['no list', []],
  ['no object', {}],
  ['a list of null', [null]],
  ['a list of texts', ['x', 'x']],
  ['a list of numbers', [7, -1, 1.5]],
  ['a list of lists', [[['x']]]],
  ['an object', { id: 7, name: 'x', value: null }],
  ['a list of objects', [{ id: 7, value: 'x' }, { id: null }, {}]],
  ['an unknown word', 'no_such_word_7'],
  ['digits', '12345'],
  ['a lone surrogate', 'a\ud800b'],
  ['NUL', 'a\0b'],
  ['markup', '<b onclick=x>&amp;&#0;&lt;</b>'],
  ['year 1', '0001-01-01T00:00:00Z'],
  ['year 0 in UTC', '0001-01-01T00:00:00+14:00'],
  ['year 9999', '9999-12-31T23:59:59.999-12:00'],
  ['30 February', '2026-02-30T10:00:00Z'],
  ['a day', '2026-02-28'],
  ['a day of February that is not', '2026-02-30'],
  ['seconds', 1700000000],
  ['a time in words', 'Thu, 19 Nov 2026 10:00:00 GMT'],
  ['__proto__', JSON.parse('{"__proto__":{"x":1},"constructor":null}')],
  ['a name of every object', 'constructor'],
  ['another host', 'https://elsewhere.invalid/x?page=2'],
]

/** Every place in a JSON value, with its form: indexes of lists are stars. */
export function placesIn(json: unknown): Map<string, (string | number)[][]> {
  const found = new Map<string, (string | number)[][]>()
  const walk = (value: unknown, path: (string | number)[]) => {
    if (path.length > 0) {
      const form = path.map((part) => (typeof part === 'number' ? '*' : /^\d+$/.test(part) ? '#' : part)).join('.')
      const known = found.get(form) ?? []
      // Some examples are enough.
      if (known.length < 40) known.push(path)
      found.set(form, known)
    }
    if (Array.isArray(value)) for (const [index, one] of value.entries()) walk(one, [...path, index])
    else if (typeof value === 'object' && value !== null)
      for (const [name, one] of Object.entries(value)) walk(one, [...path, name])
  }
  walk(json, [])
  return found
}

export const valueIn = (json: unknown, path: readonly (string | number)[]): unknown =>
  // biome-ignore lint/suspicious/noExplicitAny: any JSON
  path.reduce<any>((value, part) => value?.[part], json)

/** A copy of the JSON with another value at one place. */
export function changed(json: unknown, path: readonly (string | number)[], value: unknown): unknown {
  const copy = structuredClone(json)
  const last = path.at(-1) as string | number
  const holder = valueIn(copy, path.slice(0, -1)) as Record<string | number, unknown>
  if (value === gone && Array.isArray(holder)) holder.splice(Number(last), 1)
  else if (value === gone) delete holder[last]
  else Object.defineProperty(holder, last, { value, enumerable: true, configurable: true, writable: true })
  return copy
}

/** Values that say nothing, so that nothing is lost. */
export const isEmptyValue = (value: unknown): boolean =>
  value === gone ||
  value === null ||
  value === undefined ||
  (typeof value === 'string' && value.trim() === '') ||
  (typeof value === 'object' && Object.keys(value).length === 0)
