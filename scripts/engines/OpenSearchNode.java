// Starts nodes of OpenSearch in one Java process: FOLDER HTTP_PORT TRANSPORT_PORT NODES. The runner's own main ends without a
// terminal. Further nodes have the following ports.
import static org.codelibs.opensearch.runner.OpenSearchRunner.newConfigs;

import java.util.List;
import java.util.stream.IntStream;
import org.codelibs.opensearch.runner.OpenSearchRunner;

public class OpenSearchNode {
  public static void main(String[] args) throws Exception {
    int http = Integer.parseInt(args[1]);
    int transport = Integer.parseInt(args[2]);
    int nodes = Integer.parseInt(args[3]);
    List<String> addresses =
        IntStream.range(transport, transport + nodes).mapToObj(port -> "127.0.0.1:" + port).toList();
    OpenSearchRunner runner = new OpenSearchRunner();
    runner.onBuild((number, settings) -> {
      settings.put("http.port", String.valueOf(http + number - 1));
      settings.put("transport.port", String.valueOf(transport + number - 1));
      if (nodes == 1) settings.put("discovery.type", "single-node");
      else {
        settings.putList("discovery.seed_hosts", addresses);
        // They start one after the other. After a restart, the first one has to wait for a second one.
        settings.put("discovery.initial_state_timeout", "3s");
      }
      settings.put("cluster.routing.allocation.disk.threshold_enabled", false);
    });
    Runtime.getRuntime().addShutdownHook(new Thread(() -> {
      try {
        runner.close();
      } catch (Exception ignored) {
        // The process ends anyway.
      }
    }));
    runner.build(newConfigs().basePath(args[0]).clusterName("trawl").numOfNode(nodes).useLogger());
    Thread.currentThread().join();
  }
}
