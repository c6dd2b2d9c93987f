import { useSyncExternalStore } from 'react'

/** The screen named after `#` in the address bar; empty for the screen of the status. */
export function usePlace(): string[] {
  const hash = useSyncExternalStore(subscribe, () => location.hash)
  return hash
    .replace(/^#/, '')
    .split('/')
    .map((part) => {
      try {
        return decodeURIComponent(part)
      } catch {
        return part
      }
    })
}

export function goTo(place: string): void {
  location.hash = place
}

/** Opens the screen of the status without an entry in the browser's history. */
export function goHome(): void {
  if (location.hash === '') return
  history.replaceState(null, '', location.pathname)
  dispatchEvent(new HashChangeEvent('hashchange'))
}

function subscribe(onChange: () => void): () => void {
  addEventListener('hashchange', onChange)
  return () => removeEventListener('hashchange', onChange)
}
