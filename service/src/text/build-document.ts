import { arrangeInlines, type Leaf, type Wrapper } from './arrange-inlines.ts'
import { type Block, type Definition, flattenBlocks, type Inline, type List, type Table } from './document.ts'

export interface Container {
  blocks: Block[]
  list?: List
  table?: Table
  terms?: Definition[]
  /** Collects the lines of a caption or summary. */
  caption?: Inline[]
  heading: number
}

/** Closes an element. */
export type Leave = () => void

/** Builds blocks from the events of a parser. */
export class DocumentBuilder {
  readonly root: Container = { blocks: [], heading: 0 }
  readonly containers: Container[] = [this.root]
  leaves: Leaf[] = []
  path: Wrapper[] = []

  top(): Container {
    return this.containers.at(-1) ?? this.root
  }

  /** The container for the next block. A block never goes between the items of a list or of terms. */
  place(): Container {
    const container = this.top()
    if (container.list) {
      const last = container.list.items.at(-1) ?? { checked: null, blocks: [] }
      if (container.list.items.length === 0) container.list.items.push(last)
      return { blocks: last.blocks, heading: 0 }
    }
    if (container.terms) {
      const last = container.terms.at(-1)
      const place = last && 'blocks' in last ? last : { blocks: [] }
      if (place !== last) container.terms.push(place)
      return { blocks: place.blocks, heading: 0 }
    }
    return container
  }

  /** Ends the current line and adds it as a block. */
  flush(): void {
    const children = arrangeInlines(this.leaves)
    this.leaves = []
    if (children.length === 0) return
    const level = this.top().heading
    this.place().blocks.push(level > 0 ? { type: 'heading', level, children } : { type: 'paragraph', children })
  }

  add(inline: Inline, path = this.path): void {
    this.leaves.push({ inline, path })
  }

  isInside(kind: 'href' | 'meaning'): boolean {
    return this.path.some((wrapper) => kind in wrapper)
  }

  wrap(wrapper: Wrapper): Leave {
    const before = this.path
    this.path = [...this.path, wrapper]
    return () => {
      this.path = before
    }
  }

  enter(container: Container): Leave {
    this.containers.push(container)
    return () => {
      this.flush()
      this.containers.pop()
    }
  }

  /** Collects everything until the returned function is called, as lines of `target`. */
  enterLines(target: Inline[]): Leave {
    this.flush()
    const blocks: Block[] = []
    const leave = this.enter({ blocks, heading: 0 })
    return () => {
      leave()
      const lines = flattenBlocks(blocks)
      if (target.length > 0 && lines.length > 0) target.push({ type: 'break' })
      target.push(...lines)
    }
  }
}
