/** Copying more values than this between threads would take longer than parsing them here. No page of a tool has so many. */
const mostValues = 1_000_000

/** Run in a thread for long answers. */
export function parseJson(bytes: Uint8Array): unknown {
  let values = 0
  const value: unknown = JSON.parse(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8'))
  const open: unknown[] = [value]
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (typeof next !== 'object' || next === null) continue
    for (const entry of Object.values(next)) {
      if (++values > mostValues) throw new Error(`more than ${mostValues} values`)
      if (typeof entry === 'object' && entry !== null) open.push(entry)
    }
  }
  return value
}
