// Parses text documents and presentations: prepares the package, reads it with the office engine, writes its model as HTML.
import { type Document, type Format, toDocument } from '@firecrawl/anydoc';
import { type ErrorCode, ServiceError } from '../../contracts/errors/errors.ts';
import type { SourceFile } from '../../page/parsed.ts';
import { repackZip } from '../container/repack-zip.ts';
import { openZip, type ZipArchive } from '../container/zip.ts';
import type { FormatParser } from '../format-parser.ts';
import { readBinaryProperties } from './binary-properties.ts';
import { officeHtml } from './html/office-html.ts';
import { prepareOdf } from './odf/odf.ts';
import { commentsHtml } from './office-comments.ts';
import type { PreparedPackage } from './office-package.ts';
import { type FileMetadata, readOfficeProperties } from './office-properties.ts';
import { prepareRtf } from './rtf/rtf.ts';
import { prepareSlides } from './slides/slides.ts';
import { prepareWord } from './word/word.ts';

const CODES: Readonly<Record<string, ErrorCode>> = {
  encrypted: 'DOCUMENT_ENCRYPTED',
  malformed: 'DOCUMENT_DAMAGED',
  missingPart: 'DOCUMENT_DAMAGED',
  resourceLimit: 'DOCUMENT_TOO_COMPLEX',
  unsupported: 'SCRAPE_UNSUPPORTED_FILE_ERROR',
};

const PREPARE: Readonly<Record<string, (archive: ZipArchive) => PreparedPackage>> = {
  docx: prepareWord,
  pptx: prepareSlides,
  odt: prepareOdf,
  odp: prepareOdf,
};

const UNPREPARED: PreparedPackage = { replaced: new Map(), formulas: [], comments: [], warnings: [] };

export const parseOffice: FormatParser = async (file) => {
  const { bytes, prepared, metadata } = prepare(file);
  const { formulas, comments, slides } = prepared;
  const model = await readModel(bytes, file.kind);
  const title = typeof metadata.title === 'string' ? metadata.title : undefined;
  const { body, notes, omittedPictures } = officeHtml(model, { kind: file.kind, formulas, title });
  const html = [body, commentsHtml(comments), notes].filter((part) => part !== '').join('\n');
  const warnings = [...prepared.warnings];
  if (omittedPictures > 0)
    warnings.push(`${omittedPictures} large pictures were omitted; their descriptions are kept.`);
  const counts = slides === undefined ? {} : { numPages: slides, totalPages: slides };
  return { body: { html }, metadata, warnings, ...counts };
};

interface Source {
  bytes: Uint8Array;
  prepared: PreparedPackage;
  metadata: FileMetadata;
}

function prepare({ bytes, kind }: SourceFile): Source {
  if (bytes[0] === 0x50 && bytes[1] === 0x4b) return preparePackage(bytes, kind);
  if (kind === 'rtf') {
    const { comments, metadata, ...rtf } = prepareRtf(bytes);
    return { bytes: rtf.bytes, prepared: { ...UNPREPARED, comments }, metadata };
  }
  // Old binary formats also occur under the new extensions. Anything else is left to the engine to reject.
  const { metadata, slides } = readBinaryProperties(bytes);
  return { bytes, prepared: { ...UNPREPARED, slides }, metadata };
}

function preparePackage(bytes: Uint8Array, kind: string): Source {
  const archive = openZip(bytes);
  const prepared = PREPARE[kind]?.(archive) ?? UNPREPARED;
  return { bytes: repackZip(archive, prepared.replaced), prepared, metadata: readOfficeProperties(archive) };
}

async function readModel(bytes: Uint8Array, kind: string): Promise<Document> {
  try {
    return await toDocument(bytes, kind as Format);
  } catch (error) {
    const code = CODES[(error as { code?: string }).code ?? ''] ?? 'DOCUMENT_DAMAGED';
    throw new ServiceError(code, { cause: error });
  }
}
