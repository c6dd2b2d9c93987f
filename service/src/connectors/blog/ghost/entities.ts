import { defineEntity, type Entity, type EntityRules } from '../../kit/entity.ts'
import { lens, made, takenElsewhere } from '../../kit/lens.ts'
import { type Surroundings, slug, stamps, text, textOrNone, words } from './lenses.ts'
import { comments, subscribers } from './people-entities.ts'
import { pages, posts } from './post-entities.ts'
import * as value from './values.ts'

// Fields that the Admin API sends and accepts. https://docs.ghost.org/admin-api/

const tag: EntityRules<Surroundings> = {
  ...stamps,
  sourceUrl: 'url',
  also: { codeinjection_head: textOrNone },
  fields: {
    name: lens('text', {
      from: 'name',
      check: text,
      max: 191,
      empty: '',
      read: (name) => name,
      write: value.toLine,
    }),
    slug,
    description: words('long_text', 'description', 500),
  },
}
const tags = defineEntity('blog', 'tags', tag)
// A category becomes the first tag.
const categories = defineEntity('blog', 'categories', tag)

/** Files are found in the texts that use them, see read-media.ts. Ghost stores only the bytes of a file. */
const media = defineEntity<Surroundings>('blog', 'media', {
  fields: {
    file_name: takenElsewhere(made('text', () => undefined)),
    content_type: takenElsewhere(made('text', () => undefined)),
    size: takenElsewhere(made('integer', () => undefined)),
  },
})

export const entities = { media, tags, categories, posts, pages, comments, subscribers } satisfies Record<
  string,
  Entity<Surroundings>
>
export type EntityName = keyof typeof entities
