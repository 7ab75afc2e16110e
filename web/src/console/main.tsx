import { QueryClientProvider } from '@tanstack/react-query'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { I18nProvider } from 'react-aria-components'
import { speak, useLanguage } from '../i18n/text'
import { followTheme, prefs, wantedLanguage } from '../lib/prefs'
import { newQueryClient } from '../lib/query'
import '../styles/base.css'
import '../styles/parts.css'
import '../styles/console.css'
import { App } from './App'

followTheme()
const client = newQueryClient()

/** Everything is drawn anew in another language: rows and titles were made in the one before. */
function Root() {
  const language = useLanguage()
  return <I18nProvider locale={language}><QueryClientProvider client={client}><App key={language} /></QueryClientProvider></I18nProvider>
}

let wanted = wantedLanguage(prefs.get())
prefs.subscribe(() => {
  const now = wantedLanguage(prefs.get())
  if (now !== wanted) void speak(wanted = now)
})
void speak(wanted).then(() => createRoot(document.getElementById('root') as HTMLElement).render(<StrictMode><Root /></StrictMode>))
