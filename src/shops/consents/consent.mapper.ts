import { type ConsentTextDto, type RequiredConsentDto } from './dto/consent.dto.js';
import { type ConsentText, type RequiredConsent } from './consent.types.js';

export function toRequiredConsentDto({ kind, version, statement }: RequiredConsent): RequiredConsentDto {
  return { kind, version, statement };
}

export function toConsentTextDto({
  kind,
  version,
  statement,
  hash,
  text,
  url,
  createdAt,
}: ConsentText): ConsentTextDto {
  return { kind, version, statement, hash, text, url, createdAt: createdAt.toISOString() };
}
