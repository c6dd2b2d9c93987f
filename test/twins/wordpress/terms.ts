import type { Operation } from '../tool-twin.ts'
import { shapes } from './operations.ts'
import { gone, isForced, type Site, sendList, sendOne, type Term, wpError } from './site.ts'
import { isFoundBy, kses, slugOf, specialChars, textField } from './texts.ts'

const baseOf = { post_tag: 'tag', category: 'category' }

const pathOf = (site: Site, { slug, parent }: Term): string => {
  const above = parent === 0 ? undefined : site.terms.get(String(parent))
  return above ? `${pathOf(site, above)}${slug}/` : `${slug}/`
}

export function termOperations(site: Site, taxonomy: Term['taxonomy']): Operation[] {
  const isTree = taxonomy === 'category'
  const shape = isTree ? shapes.categories : shapes.tags
  const all = () => site.terms.list((one) => one.taxonomy === taxonomy)
  const uses = (id: number) =>
    site.writings.list(({ tags, categories }) => (isTree ? categories : tags).includes(id)).length
  const present = (one: Term) => ({
    id: Number(one.id),
    count: uses(Number(one.id)),
    description: one.description,
    link: `${site.origin}/${baseOf[taxonomy]}/${pathOf(site, one)}`,
    name: one.name,
    slug: one.slug,
    taxonomy,
    ...(isTree && { parent: one.parent }),
  })
  const find = (id: string | undefined): Term => {
    const found = site.terms.get(String(Number(id)))
    return found?.taxonomy === taxonomy ? found : wpError(404, 'rest_term_invalid', 'Term does not exist.')
  }
  const nameOf = (name: string) => specialChars(textField(name))
  const uniqueSlug = (slug: string, own: string) => {
    for (let number = 1; ; number += 1) {
      const tried = number === 1 ? slug : `${slug}-${number}`
      if (!all().some((one) => one.slug === tried && one.id !== own)) return tried
    }
  }
  return [
    {
      ...shape.list,
      act: (request) => {
        const { query } = request
        const search = query.get('search')
        const slugs = query.get('slug')?.split(',').map(slugOf)
        const parent = query.get('parent')
        const wanted = all()
          .filter((one) => search === null || isFoundBy(search, [one.name, one.slug]))
          .filter((one) => slugs?.includes(one.slug) ?? true)
          .filter((one) => parent === null || String(one.parent) === parent)
          .filter((one) => query.get('hide_empty') !== 'true' || uses(Number(one.id)) > 0)
        const compare = (a: Term, b: Term) => a.name.localeCompare(b.name)
        return sendList(request, wanted, {
          idOf: ({ id }) => Number(id),
          compare,
          order: 'asc',
          present,
          ignoresOffset: isTree,
        })
      },
    },
    { ...shape.get, act: (request) => sendOne(request, present(find(request.params.id))) },
    {
      ...shape.make,
      act: (request) => {
        const { json } = request
        const name = nameOf(json.name ?? '')
        if (name === '') wpError(400, 'empty_term_name', 'A name is required for this term.')
        if ([...name].length > 200) wpError(400, 'db_insert_error', 'Could not insert term into the database.')
        const parent = isTree ? Number(json.parent ?? 0) : 0
        if (parent !== 0) find(String(parent))
        const given = slugOf(json.slug ?? '')
        const slug = given || slugOf(json.name ?? '')
        // A name is in use unless the slug differs; in a tree, only under the same parent.
        const rival = all().find((one) => one.name.toLowerCase() === name.toLowerCase() && one.parent === parent)
        const isTaken = rival && (given === '' || rival.slug === given || all().some((one) => one.slug === given))
        if (isTaken) {
          const data = { term_id: Number(rival.id) }
          wpError(400, 'term_exists', 'A term with the name provided already exists in this taxonomy.', data)
        }
        const id = site.terms.nextId()
        const made = {
          id,
          taxonomy,
          name,
          parent,
          slug: uniqueSlug(slug, id),
          description: kses(json.description ?? ''),
        }
        return sendOne(request, present(site.terms.put(made)), 201)
      },
    },
    {
      ...shape.change,
      act: (request) => {
        const { json } = request
        const known = find(request.params.id)
        if (json.parent) find(String(json.parent))
        const slug = json.slug === undefined ? known.slug : slugOf(json.slug) || slugOf(json.name ?? known.name)
        if (slug !== known.slug && all().some((one) => one.slug === slug))
          wpError(400, 'duplicate_term_slug', `The slug “${slug}” is already in use by another term.`)
        const changed = {
          ...known,
          name: json.name === undefined ? known.name : nameOf(json.name),
          description: json.description === undefined ? known.description : kses(json.description),
          parent: isTree ? Number(json.parent ?? known.parent) : 0,
          slug,
        }
        return sendOne(request, present(site.terms.put(changed)))
      },
    },
    {
      ...shape.remove,
      act: (request) => {
        const known = find(request.params.id)
        if (!isForced(request)) wpError(501, 'rest_trash_not_supported', 'Terms do not support trashing.')
        const id = Number(known.id)
        for (const below of all().filter(({ parent }) => parent === id))
          site.terms.change(below.id, { parent: known.parent })
        for (const one of site.writings.list(({ tags, categories }) => tags.includes(id) || categories.includes(id))) {
          const left = (ids: number[]) => ids.filter((other) => other !== id)
          site.writings.change(one.id, { tags: left(one.tags), categories: left(one.categories) })
        }
        site.terms.remove(known.id)
        return sendOne(request, gone(present(known)))
      },
    },
  ]
}
