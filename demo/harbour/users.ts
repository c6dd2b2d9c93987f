export interface User {
  id: string
  name: string
  email: string | null
  active: boolean
}

/** The people of Harbour's customer. Some also worked at Fernhill and kept their addresses. */
export const USERS: readonly User[] = [
  { id: 'u1', name: 'Maeve Thornley', email: 'maeve@fernhill.example', active: true },
  { id: 'u2', name: 'Tomasz Wierzba', email: 'tomasz@fernhill.example', active: true },
  { id: 'u3', name: 'Priya Raman', email: 'priya@fernhill.example', active: true },
  // The same person as in Fernhill, with another spelling and address, so that only the name can match.
  { id: 'u4', name: 'Bjorn Akesson', email: 'b.akesson@harbour.example', active: true },
  { id: 'u5', name: 'Ines Duarte', email: 'Ines@Fernhill.example', active: true },
  { id: 'u6', name: 'Dana Whitlock', email: 'dana@harbour.example', active: true },
  { id: 'u7', name: 'Front desk', email: null, active: true },
  { id: 'u8', name: 'Owen Castell', email: 'owen@fernhill.example', active: false },
]
