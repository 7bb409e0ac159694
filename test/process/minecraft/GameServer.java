import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.time.LocalTime;
import java.util.ArrayList;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import net.kyori.adventure.identity.Identity;
import net.kyori.adventure.text.Component;
import net.kyori.adventure.text.serializer.plain.PlainTextComponentSerializer;
import net.minestom.server.Auth;
import net.minestom.server.MinecraftServer;
import net.minestom.server.command.CommandSender;
import net.minestom.server.command.builder.Command;
import net.minestom.server.command.builder.CommandResult;
import net.minestom.server.command.builder.arguments.ArgumentType;
import net.minestom.server.coordinate.Pos;
import net.minestom.server.entity.Player;
import net.minestom.server.event.player.AsyncPlayerConfigurationEvent;
import net.minestom.server.instance.block.Block;
import net.minestom.server.tag.TagHandler;

/**
 * GameServer PORT [RCON_PORT]: a server that real clients join, offline, on Minestom. Its commands (give, list, save-all), the lines that it prints,
 * and its remote console follow the official server, but `give PLAYER ITEM COUNT LABEL` names the items, so that those of each order can be counted.
 * Items are in memory: `save-all flush` only answers.
 */
public class GameServer {
  public static void main(String[] arguments) throws Exception {
    var server = MinecraftServer.init(new Auth.Offline());
    var world = MinecraftServer.getInstanceManager().createInstanceContainer();
    world.setGenerator(unit -> unit.modifier().fillHeight(0, 40, Block.STONE));
    MinecraftServer.getGlobalEventHandler().addListener(AsyncPlayerConfigurationEvent.class, event -> {
      event.setSpawningInstance(world);
      event.getPlayer().setRespawnPoint(new Pos(0, 42, 0));
    });
    MinecraftServer.getCommandManager().register(give(), list(), saveAll());
    server.start("127.0.0.1", Integer.parseInt(arguments[0]));
    if (arguments.length > 1) remoteConsole(Integer.parseInt(arguments[1]));
    Thread.ofPlatform().daemon().start(GameServer::readStandardInput);
    print("Done! For help, type \"help\"");
  }

  static void print(String text) {
    for (String line : text.split("\n")) System.out.println("[" + LocalTime.now().withNano(0) + "] [Server thread/INFO]: " + line);
  }

  static Command give() {
    var command = new Command("give");
    var name = ArgumentType.Word("player");
    var item = ArgumentType.ItemStack("item");
    var count = ArgumentType.Integer("count");
    var label = ArgumentType.Word("label");
    command.addSyntax((sender, context) -> {
      Player player = MinecraftServer.getConnectionManager().getOnlinePlayerByUsername(context.get(name));
      if (player == null) {
        sender.sendMessage("No player was found");
        return;
      }
      var stack = context.get(item).withAmount(context.get(count)).withCustomName(Component.text(context.get(label)));
      boolean isGiven = player.getInventory().addItemStack(stack);
      sender.sendMessage(isGiven ? "Gave " + stack.amount() + " [" + stack.material().name() + "] to " + player.getUsername() : "The inventory is full");
    }, name, item, count, label);
    return command;
  }

  static Command list() {
    var command = new Command("list");
    command.setDefaultExecutor((sender, context) -> {
      var players = MinecraftServer.getConnectionManager().getOnlinePlayers();
      var names = players.stream().map(Player::getUsername).collect(Collectors.joining(", "));
      sender.sendMessage("There are " + players.size() + " of a max of 20 players online: " + names);
    });
    return command;
  }

  static Command saveAll() {
    var command = new Command("save-all");
    command.addSyntax((sender, context) -> sender.sendMessage("Saving the game (this may take a moment!)\nSaved the game"), ArgumentType.Literal("flush"));
    return command;
  }

  /** Runs a command between two ticks. Returns what it printed. */
  static CompletableFuture<String> run(String line) {
    var lines = new ArrayList<String>();
    var sender = new CommandSender() {
      private final TagHandler tags = TagHandler.newHandler();

      public void sendMessage(Component text) {
        lines.add(PlainTextComponentSerializer.plainText().serialize(text));
      }

      public void sendMessage(String text) {
        lines.add(text);
      }

      public TagHandler tagHandler() {
        return tags;
      }

      public Identity identity() {
        return Identity.nil();
      }
    };
    var output = new CompletableFuture<String>();
    MinecraftServer.getSchedulerManager().scheduleNextTick(() -> {
      try {
        var result = MinecraftServer.getCommandManager().execute(sender, line);
        if (result.getType() != CommandResult.Type.SUCCESS) lines.add("Unknown or incomplete command, see below for error\n" + line + "<--[HERE]");
        output.complete(String.join("\n", lines));
      } catch (Throwable error) {
        output.completeExceptionally(error);
      }
    });
    return output;
  }

  private static void readStandardInput() {
    try (var input = new BufferedReader(new InputStreamReader(System.in))) {
      for (String line; (line = input.readLine()) != null;) print(run(line).get());
    } catch (Exception error) {
      error.printStackTrace();
    }
  }

  /** As the official server: one packet for each read, and it closes the connection on anything else. */
  private static void remoteConsole(int port) throws Exception {
    var listener = new ServerSocket(port, 5, InetAddress.getByName("127.0.0.1"));
    Thread.startVirtualThread(() -> {
      try {
        for (;;) {
          var socket = listener.accept();
          Thread.startVirtualThread(() -> serve(socket));
        }
      } catch (Exception error) {
        error.printStackTrace();
      }
    });
  }

  private static void serve(Socket socket) {
    try (socket) {
      boolean isLoggedIn = false;
      byte[] bytes = new byte[1460];
      for (int read; (read = socket.getInputStream().read(bytes)) > 0;) {
        var packet = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
        int size = packet.getInt();
        if (size != read - 4) return;
        int id = packet.getInt();
        int type = packet.getInt();
        var text = new String(bytes, 12, size - 10, StandardCharsets.UTF_8);
        if (type == 3) {
          isLoggedIn = text.equals("sesame");
          send(socket, isLoggedIn ? id : -1, 2, "");
        } else if (!isLoggedIn) {
          send(socket, -1, 2, "");
        } else {
          send(socket, id, 0, type == 2 ? run(text).get() : "Unknown request " + Integer.toHexString(type));
        }
      }
    } catch (Exception error) {
      error.printStackTrace();
    }
  }

  private static void send(Socket socket, int id, int type, String text) throws Exception {
    byte[] body = text.getBytes(StandardCharsets.UTF_8);
    var packet = ByteBuffer.allocate(14 + body.length).order(ByteOrder.LITTLE_ENDIAN);
    packet.putInt(10 + body.length).putInt(id).putInt(type).put(body);
    socket.getOutputStream().write(packet.array());
  }
}
