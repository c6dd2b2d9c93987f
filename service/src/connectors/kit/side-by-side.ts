/**
 * Several at once; answers in the order of the items. After a failure no further one is begun, and it is thrown when those
 * under way are through: nothing goes on behind the caller's back.
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
