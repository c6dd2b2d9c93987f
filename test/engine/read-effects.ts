/** An action that Harbour recorded. */
export interface Effect {
  id: number
  action: string
  external_id: string
  entity: string
}

/** All actions that Harbour has recorded so far, in order. */
export async function readEffects(harbourUrl: string, adminKey: string): Promise<Effect[]> {
  const all: Effect[] = []
  let after = '0'
  for (;;) {
    const answer = await fetch(`${harbourUrl}/effects?after=${after}`, {
      headers: { authorization: `Bearer ${adminKey}` },
    })
    const { data, next } = (await answer.json()) as { data: Effect[]; next: string | null }
    all.push(...data)
    if (next === null) return all
    after = next
  }
}
