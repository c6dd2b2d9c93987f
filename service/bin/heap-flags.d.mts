export const heapFlags: readonly string[]
export const heapEnvironment: Readonly<Record<string, string>>
