// Why a web archive cannot be read any further: the message completes a sentence about the file.

export class ArchiveDamage extends Error {}
