/**
 * Runs `act` for several items in parallel and returns the results in the order of the items. After a failure it starts
 * no further item, waits for the running ones and then throws, so no work continues unnoticed.
 */
export async function sideBySide<T, F>(
  items: readonly T[],
  atOnce: number,
  act: (item: T) => Promise<F>,
): Promise<F[]> {
  const answers: F[] = []
  const failures: unknown[] = []
  const left = items.entries()
  const work = async () => {
    for (const [index, item] of left) {
      if (failures.length > 0) return
      await act(item).then(
        (answer) => {
          answers[index] = answer
        },
        (error: unknown) => failures.push(error),
      )
    }
  }
  await Promise.all(Array.from({ length: Math.min(atOnce, items.length) }, work))
  if (failures.length > 0) throw failures[0]
  return answers
}
