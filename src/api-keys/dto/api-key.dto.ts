import { ApiSchema } from '@nestjs/swagger';
import { ALL_PERMISSIONS } from '../../common/auth/permissions.js';
import {
  BooleanField,
  ChoiceField,
  IdField,
  IdListField,
  TextField,
  TextListField,
  TimestampField,
} from '../../common/validation/fields.js';
import { API_KEY_TYPES } from '../api-key.types.js';
import { MAX_ADDRESS_LENGTH, MAX_ADDRESSES, MAX_SERVERS } from '../key-rules.js';

/** The API key record of the contract. */
@ApiSchema({ description: 'The API key record of the contract: what lists and changes show of a key.' })
export class ApiKeyDto {
  @IdField({ description: 'Identifier of the key.', example: '655f1c2ab1e4a9d3f0c81240' })
  id!: string;

  @TextField({ maxLength: 80, description: 'Display name.', example: 'Survival server' })
  name!: string;

  @TextListField({
    maxItems: 2,
    maxLength: 5,
    oneOf: ['read', 'write'],
    description: 'The distinct actions that the key may take; `scopes` of the details has the full list.',
    example: ['read', 'write'],
  })
  permissions!: string[];

  @ChoiceField({ oneOf: API_KEY_TYPES, description: 'Kind of key: a ceiling of what it may hold.', example: 'plugin' })
  type!: string;

  @TextField({ maxLength: 13, description: 'What may be shown of the key.', example: 'shp_4fT9aQ...' })
  keyPreview!: string;

  @BooleanField({ description: 'Whether the key works.', example: true })
  isActive!: boolean;

  @TimestampField({ description: 'When the key was made.', example: '2026-11-21T12:00:00.000Z' })
  createdAt!: string;
}

/** The record with what stands behind it. */
@ApiSchema({
  description: 'The API key record with what stands behind it: shop, permissions in full, restrictions, use and end.',
})
export class ApiKeyDetailsDto extends ApiKeyDto {
  @TextListField({
    maxItems: ALL_PERMISSIONS.length,
    maxLength: 40,
    oneOf: ALL_PERMISSIONS,
    description: 'The permissions in full.',
    example: ['servers:write', 'orders:read', 'orders:write'],
  })
  scopes!: string[];

  @IdField({ description: 'The shop that the key is for.', example: '655f1c2ab1e4a9d3f0c81234' })
  shopId!: string;

  @IdListField({
    nullable: true,
    minItems: 1,
    maxItems: MAX_SERVERS,
    description: 'The game servers that the key may act for; null: all of the shop.',
    example: ['655f1c2ab1e4a9d3f0c81260'],
  })
  serverIds!: string[] | null;

  @TextListField({
    nullable: true,
    minItems: 1,
    maxItems: MAX_ADDRESSES,
    maxLength: MAX_ADDRESS_LENGTH,
    description: 'The addresses and CIDR ranges that the key is accepted from; null: from anywhere.',
    example: ['203.0.113.7', '2001:db8:12::/48'],
  })
  ipAllowlist!: string[] | null;

  @TimestampField({
    nullable: true,
    description: 'When the key was last used (to the minute); null: never.',
    example: null,
  })
  lastUsedAt!: string | null;

  @TimestampField({ nullable: true, description: 'When the key stops working; null: never.', example: null })
  expiresAt!: string | null;

  @TimestampField({ nullable: true, description: 'When the key was revoked; null: it was not.', example: null })
  revokedAt!: string | null;

  @TimestampField({
    nullable: true,
    description: 'When the key got its present secret; null: it has its first one.',
    example: '2026-11-21T12:00:00.000Z',
  })
  rotatedAt!: string | null;

  @TimestampField({
    nullable: true,
    description: 'Until when the secret before the present one is accepted too; null: it is not.',
    example: '2026-11-22T12:00:00.000Z',
  })
  previousKeyExpiresAt!: string | null;

  @IdField({
    description: 'The person who made the key and whose rights bound it.',
    example: '655f1c2ab1e4a9d3f0c81230',
  })
  createdBy!: string;
}

/** The details, and this once the key itself. */
@ApiSchema({ description: 'The details of a new or rotated API key, and this once the key itself.' })
export class CreatedApiKeyDto extends ApiKeyDetailsDto {
  @TextField({
    maxLength: 40,
    description: 'The key. It is shown this once.',
    example: 'shp_(36-characters-shown-this-once)',
  })
  key!: string;
}
