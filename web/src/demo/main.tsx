import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { speak } from '../i18n/text'
import { followTheme } from '../lib/prefs'
import '../styles/base.css'
import '../styles/demo.css'
import { App } from './App'

followTheme()
// The demo is in English; the parts that it shares with the console speak it too.
void speak('en').then(() => createRoot(document.getElementById('root') as HTMLElement).render(<StrictMode><App /></StrictMode>))
