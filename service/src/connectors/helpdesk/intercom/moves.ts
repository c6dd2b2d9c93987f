import type { SideRecords } from '../../contract/contract.ts'

// Intercom takes a company or an assignee away in one request, and takes the next one in another. A record that lacks
// both because such a move broke off would look like an edit by people, so a note names it until the move is done.

const kind = 'sent_move'

export type Moves = ReturnType<typeof openMoves>

export const openMoves = (sides: SideRecords | undefined) => ({
  begin: (id: string) => sides?.note({ kind, mark: id, destinationId: id, version: null }),
  end: (id: string) => sides?.forget({ kind, mark: id }),
  /** The ids of records whose move broke off. */
  unfinished: async () => new Set((await sides?.list(kind))?.map(({ mark }) => mark)),
})
