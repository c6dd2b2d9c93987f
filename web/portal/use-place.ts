import { useSyncExternalStore } from 'react'

/** Which screen of the import the address bar asks for, behind `#`; empty for the one that follows the status. */
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

/** To the screen that follows the status, without a step back to where one was. */
export function goHome(): void {
  if (location.hash === '') return
  history.replaceState(null, '', location.pathname)
  dispatchEvent(new HashChangeEvent('hashchange'))
}

function subscribe(onChange: () => void): () => void {
  addEventListener('hashchange', onChange)
  return () => removeEventListener('hashchange', onChange)
}
