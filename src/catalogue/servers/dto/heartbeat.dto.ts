import { ApiSchema } from '@nestjs/swagger';
import { IntegerField } from '../../../http/validation/fields.js';
import { ReportedIntegerField, ReportedStringField } from '../../../http/validation/reported-fields.js';

@ApiSchema({ description: 'A report of a game server.' })
export class HeartbeatDto {
  @ReportedIntegerField({ minimum: 0, maximum: 1_000_000, description: 'Players online now.', example: 42 })
  onlinePlayers!: number;

  @ReportedIntegerField({ minimum: 0, maximum: 1_000_000, description: 'The largest number of players.', example: 100 })
  maxPlayers!: number;

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
}

@ApiSchema({ description: 'When the plugin reports next.' })
export class HeartbeatResponseDto {
  @IntegerField({ minimum: 1, maximum: 3600, description: 'Seconds until the next report.', example: 30 })
  nextHeartbeatSeconds!: number;
}
