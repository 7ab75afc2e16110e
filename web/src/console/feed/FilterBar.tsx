import { useState, type RefObject } from 'react'
import { Button, Input, SearchField, ToggleButton } from 'react-aria-components'
import { categories, modes, suggestions } from '../../lib/wire'
import { categoryWord, modeWord, suggestionWord } from '../../lib/words'
import { CloseIcon, FilterIcon, SearchIcon } from '../../ui/icons'
import { isFiltered, noFilter, type Filter } from './filter'

interface Props { filter: Filter; onChange: (f: Filter) => void; searchRef: RefObject<HTMLInputElement | null> }

/** FilterBar edits the filter; its state is the URL's. */
export function FilterBar({ filter, onChange, searchRef }: Props) {
  const [more, setMore] = useState(false)
  const put = (change: Partial<Filter>) => onChange({ ...filter, ...change })
  const text = (key: 'app' | 'scene' | 'player', label: string) => (
    <label className="filter-text"><span>{label}</span>
      <input value={filter[key]} maxLength={200} onChange={(e) => put({ [key]: e.target.value })} placeholder="any" spellCheck={false} autoComplete="off" />
    </label>
  )
  const select = <T extends string>(key: 'category' | 'mode', label: string, all: readonly T[], word: Record<T, string>) => (
    <label className="filter-text"><span>{label}</span>
      <select value={filter[key]} onChange={(e) => put({ [key]: e.target.value })}>
        <option value="">any</option>
        {all.map((v) => <option key={v} value={v}>{word[v]}</option>)}
      </select>
    </label>
  )
  return (
    <div className={more ? 'filters filters-more' : 'filters'} role="search" aria-label="Filter the feed">
      <SearchField className="search" aria-label="Search in the content" value={filter.text} onChange={(t) => put({ text: t.slice(0, 200) })}>
        <SearchIcon />
        <Input ref={searchRef} placeholder="Search in the content" spellCheck={false} onKeyDown={(e) => { if (e.key === 'Escape') e.currentTarget.blur() }} />
        {filter.text && <Button className="icon-button tiny" aria-label="Clear the search"><CloseIcon size={13} /></Button>}
      </SearchField>
      <Button className="button filters-toggle" aria-expanded={more} onPress={() => setMore(!more)}><FilterIcon />Filters</Button>
      <div className="segmented" role="group" aria-label="Suggestion">
        {suggestions.map((s) => (
          <ToggleButton key={s} className={`segment segment-${s}`} isSelected={filter.suggestion.includes(s)}
            onChange={(on) => put({ suggestion: on ? [...filter.suggestion, s] : filter.suggestion.filter((x) => x !== s) })}>
            {suggestionWord[s]}
          </ToggleButton>
        ))}
      </div>
      <ToggleButton className="segment alone" isSelected={filter.waiting} onChange={(on) => put({ waiting: on })}>Needs a decision</ToggleButton>
      <div className="filter-set">
        {select('category', 'Category', categories, categoryWord)}
        {select('mode', 'Mode', modes, modeWord)}
        {text('app', 'App')}
        {text('scene', 'Scene')}
        {text('player', 'Player')}
        {isFiltered(filter) && <Button className="link-button" onPress={() => onChange(noFilter)}>Clear all</Button>}
      </div>
    </div>
  )
}
