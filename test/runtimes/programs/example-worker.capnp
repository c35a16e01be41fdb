using Workerd = import "/workerd/workerd.capnp";

const config :Workerd.Config = (
  services = [(name = "main", worker = .example)],
  sockets = [(name = "http", address = "127.0.0.1:0", http = (), service = "main")],
);

const example :Workerd.Worker = (
  modules = [(name = "worker.mjs", esModule = embed "worker.mjs")],
  compatibilityDate = "2026-11-01",
);
