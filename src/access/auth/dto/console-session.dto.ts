import { ApiSchema, IntersectionType, PickType } from '@nestjs/swagger';
import { TimestampField } from '../../../http/validation/fields.js';
import { PasswordChangedDto } from './password.dto.js';
import { SignedInDto } from './signed-in.dto.js';

@ApiSchema({ description: 'The account, and how long its session lasts. The session is in a cookie, not in the body.' })
export class ConsoleSessionDto extends PickType(SignedInDto, ['user']) {
  @TimestampField({ description: 'When the session expires.', example: '2026-12-21T12:00:00.000Z' })
  expiresAt!: string;
}

@ApiSchema({
  description: 'The response to a change of the password with the session cookie: the new session is in a cookie too.',
})
export class ConsolePasswordChangedDto extends IntersectionType(
  ConsoleSessionDto,
  PickType(PasswordChangedDto, ['sessionsEnded']),
) {}
