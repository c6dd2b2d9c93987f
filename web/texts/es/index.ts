import type { Texts } from '../en/index.ts'
import { connect } from './connect.ts'
import { general } from './general.ts'
import { shell } from './shell.ts'
import { upload } from './upload.ts'

/** Texts of every screen, and of the first. */
export const texts: Texts = { ...general, shell, connect, upload }
