import type { Texts } from '../en/index.ts'
import { connect } from './connect.ts'
import { general } from './general.ts'
import { shell } from './shell.ts'
import { upload } from './upload.ts'

/** Texts that all screens share, and texts of the first screen. */
export const texts: Texts = { ...general, shell, connect, upload }
