import { type TSchema, Type } from 'typebox'
import { closed, nullable, type Values } from './account.ts'

export const locales =
  'ar bg bs ca cs da de el en es et fi fr he hr hu id it ja ko lt lv mn nb nl pl pt ro ru sl sr sv tr vi pt-BR zh-CN zh-TW'.split(
    ' ',
  )
export const defaultLocale = 'en'
export const helpCenterId = 79
export const site = 'https://help.quay.invalid'

export const translated = (word: string, content: TSchema) =>
  nullable(
    closed({
      type: nullable(Type.Literal(word)),
      ...Object.fromEntries(locales.map((locale) => [locale, nullable(content)])),
    }),
  )

export const slug = (title: string) => title.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '-')

export const contentsOf = (json: Values): [string, Values][] =>
  Object.entries((json.translated_content ?? {}) as Values).flatMap(([locale, content]) =>
    locale !== 'type' && content ? [[locale, content as Values]] : [],
  )

export const newestFirst = <T extends { updatedAt: number; id: string }>(list: T[]): T[] =>
  list.toSorted((a, b) => b.updatedAt - a.updatedAt || Number(b.id) - Number(a.id))
