import type { DatabaseSync } from 'node:sqlite'
import { insertInto } from '../open-database.ts'
import { ARTICLES, CATEGORIES } from './articles.ts'

const DAY_MS = 86_400_000

export function insertArticles(db: DatabaseSync, now: Date): void {
  const daysAgo = (days: number) => new Date(now.getTime() - days * DAY_MS).toISOString()
  const insertCategory = insertInto(db, 'categories')
  CATEGORIES.forEach(([name, description], position) => {
    insertCategory({ name, description, position, created_at: daysAgo(1200), updated_at: daysAgo(400) })
  })
  const insertArticle = insertInto(db, 'articles')
  ARTICLES.forEach(({ category, author, title, format, body, draft, locale = 'en', labels }, position) => {
    insertArticle({
      category_id: category,
      author_id: author,
      title,
      format,
      body: body.trim(),
      status: draft ? 'draft' : 'published',
      locale,
      labels: JSON.stringify(labels),
      position,
      created_at: daysAgo(700 - position * 31),
      updated_at: daysAgo(200 - position * 11),
    })
  })
}
