/** Requests items in chunks of `size`, one request after the other. */
export async function inChunks<T, F>(
  items: readonly T[],
  size: number,
  ask: (some: T[]) => Promise<readonly F[]>,
): Promise<F[]> {
  const found: F[] = []
  for (let from = 0; from < items.length; from += size) found.push(...(await ask(items.slice(from, from + size))))
  return found
}
