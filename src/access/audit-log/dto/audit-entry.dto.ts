import { MAX_AUDIT_VALUE_LENGTH } from '../../../events/audit/audit-rules.js';
import { ApiSchema } from '@nestjs/swagger';
import {
  ChoiceField,
  IdField,
  ObjectField,
  ObjectListField,
  StringField,
  TimestampField,
} from '../../../http/validation/fields.js';
import { AUDIT_ACTIONS, type AuditAction } from '../../../events/audit/audit.types.js';

export const ACTOR_TYPES = ['user', 'api_key', 'provider', 'buyer', 'system'] as const;
export type ActorType = (typeof ACTOR_TYPES)[number];

@ApiSchema({ description: 'Who made the change.' })
export class AuditActorDto {
  @ChoiceField({
    oneOf: ACTOR_TYPES,
    description: 'A person, an API key, a payment provider, a buyer with a link or a code, or the service itself.',
    example: 'user',
  })
  type!: ActorType;

  @StringField({
    nullable: true,
    maxLength: 64,
    description: 'The id of the person or key, the name of the provider; null for buyers and the service.',
    example: '655f1c2ab1e4a9d3f0c81230',
  })
  id!: string | null;

  @StringField({
    nullable: true,
    maxLength: 100,
    description: 'The name of the person or key as it is now; null for the others, and for an account that was closed.',
    example: 'Alex Example',
  })
  name!: string | null;
}

@ApiSchema({ description: 'A field that was changed.' })
export class AuditChangeDto {
  @StringField({ maxLength: 64, description: 'The name of the field.', example: 'role' })
  field!: string;

  @StringField({
    nullable: true,
    minLength: 0,
    maxLength: MAX_AUDIT_VALUE_LENGTH,
    description: 'Its value before, in words; null: none.',
    example: 'support',
  })
  before!: string | null;

  @StringField({
    nullable: true,
    minLength: 0,
    maxLength: MAX_AUDIT_VALUE_LENGTH,
    description: 'Its value after, in words; null: none.',
    example: 'manager',
  })
  after!: string | null;
}

@ApiSchema({ description: 'One entry of the log: who did what to which record, and when.' })
export class AuditEntryDto {
  @IdField({ description: 'Identifier of the entry.', example: '655f1c2ab1e4a9d3f0c812a0' })
  id!: string;

  @TimestampField({ description: 'When it was done.', example: '2026-11-21T12:00:00.000Z' })
  at!: string;

  @ObjectField(
    { description: 'Who did it.', example: { type: 'user', id: '655f1c2ab1e4a9d3f0c81230', name: 'Alex Example' } },
    () => AuditActorDto,
  )
  actor!: AuditActorDto;

  @ChoiceField({
    oneOf: Object.keys(AUDIT_ACTIONS),
    description: 'What was done, as a word that programs can match.',
    example: 'member.role_changed',
  })
  action!: AuditAction;

  @StringField({
    maxLength: 100,
    description: 'What was done, for people.',
    example: 'The role of a member was changed',
  })
  summary!: string;

  @StringField({
    nullable: true,
    maxLength: 64,
    description: 'The record that was written; null: the shop itself.',
    example: '655f1c2ab1e4a9d3f0c81235',
  })
  subjectId!: string | null;

  @ObjectListField(
    {
      maxItems: 50,
      description: 'The fields that changed, without secrets.',
      example: [{ field: 'role', before: 'support', after: 'manager' }],
    },
    () => AuditChangeDto,
  )
  changes!: AuditChangeDto[];
}
