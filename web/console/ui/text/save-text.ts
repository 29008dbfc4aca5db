// Saves a text that is already on the page as a file.

export function saveText(name: string, type: string, text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type }));
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  // The download has begun by then, and has its own copy.
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}
