/** The categories that a decision can name: those of words, then those of pictures and sound. */
export const allCategories: readonly string[] = [
  'violence', 'sexual', 'hate', 'illegal', 'spam', 'harassment', 'political', 'privacy',
  'nudity', 'semi_nudity', 'gore', 'child_safety', 'extremism', 'ip_infringement', 'malicious_link', 'advertising', 'acoustic',
]
