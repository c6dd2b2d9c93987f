import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import './styles.css'
import { Console } from './console.tsx'

const place = document.getElementById('console')
if (!place) throw new Error('console.html has no #console')
const client = new QueryClient({ defaultOptions: { queries: { retry: false, networkMode: 'always' } } })
createRoot(place).render(
  <StrictMode>
    <QueryClientProvider client={client}>
      <Console />
    </QueryClientProvider>
  </StrictMode>,
)
