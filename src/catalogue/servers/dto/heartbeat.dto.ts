import { applyDecorators } from '@nestjs/common';
import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import { ValidateIf } from 'class-validator';
import { IntegerField } from '../../../http/validation/fields.js';
import { ReportedIntegerField, ReportedStringField } from '../../../http/validation/reported-fields.js';
import { type PluginReport } from '../server.types.js';

export const MAX_PROBLEM_LENGTH = 200;

/** A field that must be there in a report without `problem`, and is not read in one with it. */
const UnlessProblem = (): PropertyDecorator =>
  applyDecorators(
    ValidateIf(({ problem }: HeartbeatDto) => typeof problem !== 'string'),
    ApiProperty({ required: false }),
  );

@ApiSchema({ description: 'A report of a game server: its players, or why its plugin cannot deliver.' })
export class HeartbeatDto {
  @UnlessProblem()
  @ReportedIntegerField({
    minimum: 0,
    maximum: 1_000_000,
    description: 'Players online now. Required without `problem`.',
    example: 42,
  })
  onlinePlayers?: number;

  @UnlessProblem()
  @ReportedIntegerField({
    minimum: 0,
    maximum: 1_000_000,
    description: 'The largest number of players. Required without `problem`.',
    example: 100,
  })
  maxPlayers?: number;

  @ReportedStringField({
    optional: true,
    nullable: true,
    maxLength: 64,
    description: "The game server's version.",
    example: 'Paper 1.21.4',
  })
  version?: string | null;

  @ReportedIntegerField({
    optional: true,
    nullable: true,
    minimum: 0,
    maximum: 60_000,
    description: 'Latency that the plugin measured, in milliseconds.',
    example: 12,
  })
  latencyMs?: number | null;

  @ReportedStringField({
    optional: true,
    nullable: true,
    maxLength: MAX_PROBLEM_LENGTH,
    description: 'Why the plugin cannot deliver, in one sentence for staff, such as that the console does not answer.',
    example: null,
  })
  problem?: string | null;

  get report(): PluginReport {
    const { onlinePlayers = 0, maxPlayers = 0, version = null, latencyMs = null, problem } = this;
    return typeof problem === 'string' ? { problem } : { onlinePlayers, maxPlayers, version, latencyMs };
  }
}

@ApiSchema({ description: 'When the plugin reports next.' })
export class HeartbeatResponseDto {
  @IntegerField({ minimum: 1, maximum: 3600, description: 'Seconds until the next report.', example: 30 })
  nextHeartbeatSeconds!: number;
}
