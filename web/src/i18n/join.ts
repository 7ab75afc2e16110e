/** One table out of the files of all areas: `./feed/en.json` gives its keys as `feed.…`. */
export function join(files: Record<string, Record<string, string>>): Record<string, string> {
  const all: Record<string, string> = {}
  for (const [path, messages] of Object.entries(files)) {
    const area = path.split('/')[1]
    for (const [key, message] of Object.entries(messages)) all[`${area}.${key}`] = message
  }
  return all
}
