import com.azuriom.azlink.common.AzLinkPlatform;
import com.azuriom.azlink.common.AzLinkPlugin;
import com.azuriom.azlink.common.command.CommandSender;
import com.azuriom.azlink.common.logger.JavaLoggerAdapter;
import com.azuriom.azlink.common.logger.LoggerAdapter;
import com.azuriom.azlink.common.platform.PlatformInfo;
import com.azuriom.azlink.common.platform.PlatformType;
import com.azuriom.azlink.common.scheduler.JavaSchedulerAdapter;
import com.azuriom.azlink.common.scheduler.SchedulerAdapter;
import java.nio.file.Path;
import java.util.UUID;
import java.util.logging.Logger;
import java.util.stream.Stream;
import net.minestom.server.MinecraftServer;
import net.minestom.server.command.builder.Command;
import net.minestom.server.command.builder.arguments.ArgumentType;

/** LinkedServer PORT FOLDER: GameServer with the unmodified core of AzLink as its plugin, whose settings are in FOLDER, and its command `azlink`. */
public class LinkedServer implements AzLinkPlatform {
  private final AzLinkPlugin plugin = new AzLinkPlugin(this);
  private final LoggerAdapter logger = new JavaLoggerAdapter(Logger.getLogger("azlink"));
  private final SchedulerAdapter scheduler =
      new JavaSchedulerAdapter(task -> MinecraftServer.getSchedulerManager().scheduleNextTick(task));
  private final Path folder;

  private LinkedServer(Path folder) {
    this.folder = folder;
  }

  public static void main(String[] arguments) throws Exception {
    var link = new LinkedServer(Path.of(arguments[1]));
    GameServer.main(new String[] {arguments[0]});
    link.plugin.init();
    var command = new Command("azlink");
    var words = ArgumentType.StringArray("words");
    command.addSyntax((sender, context) -> link.plugin.getCommand().execute(person("CONSOLE", new UUID(0, 0)), context.get(words)), words);
    MinecraftServer.getCommandManager().register(command);
    GameServer.print("Linked");
  }

  private static CommandSender person(String name, UUID uuid) {
    return new CommandSender() {
      public String getName() {
        return name;
      }

      public UUID getUuid() {
        return uuid;
      }

      public void sendMessage(String text) {
        GameServer.print(text);
      }

      public boolean hasPermission(String permission) {
        return true;
      }
    };
  }

  public AzLinkPlugin getPlugin() {
    return plugin;
  }

  public LoggerAdapter getLoggerAdapter() {
    return logger;
  }

  public SchedulerAdapter getSchedulerAdapter() {
    return scheduler;
  }

  public PlatformType getPlatformType() {
    return PlatformType.BUKKIT;
  }

  public PlatformInfo getPlatformInfo() {
    return new PlatformInfo("Minestom", "1.21.11");
  }

  public String getPluginVersion() {
    return "1.3.12";
  }

  public Path getDataDirectory() {
    return folder;
  }

  public int getMaxPlayers() {
    return 20;
  }

  public Stream<CommandSender> getOnlinePlayers() {
    return MinecraftServer.getConnectionManager().getOnlinePlayers().stream().map(player -> person(player.getUsername(), player.getUuid()));
  }

  public void dispatchConsoleCommand(String command) {
    GameServer.run(command).thenAccept(GameServer::print);
  }
}
