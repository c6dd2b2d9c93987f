import { connect } from './connect.ts'
import { general } from './general.ts'
import { shell } from './shell.ts'
import { upload } from './upload.ts'

/** Texts that all screens share, and texts of the first screen. */
export const texts = { ...general, shell, connect, upload }

export type Texts = typeof texts
