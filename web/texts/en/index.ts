import { connect } from './connect.ts'
import { general } from './general.ts'
import { shell } from './shell.ts'
import { upload } from './upload.ts'

/** Texts of every screen, and of the first. */
export const texts = { ...general, shell, connect, upload }

export type Texts = typeof texts
