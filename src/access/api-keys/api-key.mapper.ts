import { type ApiKey } from './api-key.types.js';
import { type ShownKey } from './api-keys.service.js';
import { type ApiKeyDetailsDto, type ApiKeyDto, type CreatedApiKeyDto } from './dto/api-key.dto.js';
import { actionsOf } from './key-rules.js';

/** The API key record of the contract. It has exactly seven fields. */
export function toApiKeyDto({ id, name, scopes, type, preview, isActive, createdAt }: ApiKey): ApiKeyDto {
  return {
    id,
    name,
    permissions: actionsOf(scopes),
    type,
    keyPreview: preview,
    isActive,
    createdAt: createdAt.toISOString(),
  };
}

export function toApiKeyDetailsDto(key: ApiKey): ApiKeyDetailsDto {
  return {
    ...toApiKeyDto(key),
    scopes: [...key.scopes],
    shopId: key.shopId,
    serverIds: key.serverIds && [...key.serverIds],
    ipAllowlist: key.ipAllowlist && [...key.ipAllowlist],
    lastUsedAt: key.lastUsedAt?.toISOString() ?? null,
    expiresAt: key.expiresAt?.toISOString() ?? null,
    revokedAt: key.revokedAt?.toISOString() ?? null,
    rotatedAt: key.rotatedAt?.toISOString() ?? null,
    previousKeyExpiresAt: key.previousKeyExpiresAt?.toISOString() ?? null,
    createdBy: key.userId,
  };
}

export function toCreatedApiKeyDto({ record, key }: ShownKey): CreatedApiKeyDto {
  return { ...toApiKeyDetailsDto(record), key };
}
