export const heapFlagsOf: (role: string) => string[]
export const heapEnvironment: Readonly<Record<string, string>>
