const month = () => new Date().toISOString().slice(0, 7)

/** Runs an act whose sums belong to one calendar month (UTC). If a new month began meanwhile, the act runs again. */
export async function withinMonth(act: () => Promise<void>): Promise<void> {
  const begun = month()
  try {
    await act()
  } catch (error) {
    if (month() === begun) throw error
    await act()
  }
}
