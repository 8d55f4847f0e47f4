// Command raftstore is a replicated key store on hashicorp/raft: three processes, one of which leads. Each logs one JSON
// object per line: the leader when a request arrives and when it is answered, every node when the key is applied.
//
//	raftstore -id node-0 -dir DIR -listen 127.0.0.1:7000 -peers node-0=127.0.0.1:7000,... [-requests 500] [-no-sync]
package main

import (
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"log"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/hashicorp/go-hclog"
	"github.com/hashicorp/raft"
	raftboltdb "github.com/hashicorp/raft-boltdb/v2"
)

type store struct{ logs *slog.Logger }

func (s *store) Apply(entry *raft.Log) any {
	s.logs.Info("applied", "key", string(entry.Data[:16]), "index", entry.Index)
	return nil
}
func (s *store) Snapshot() (raft.FSMSnapshot, error) { return nil, fmt.Errorf("no snapshots here") }
func (s *store) Restore(r io.ReadCloser) error       { return r.Close() }

func main() {
	id := flag.String("id", "", "name of this node")
	dir := flag.String("dir", "", "where its logs and data go")
	listen := flag.String("listen", "", "address of this node")
	peers := flag.String("peers", "", "all nodes, NAME=ADDRESS with commas between")
	requests := flag.Int("requests", 500, "how many keys the leader is asked to store")
	noSync := flag.Bool("no-sync", false, "do not wait until the disk has Raft's log")
	wait := flag.Duration("wait", 15*time.Second, "how long a node that does not lead stays")
	flag.Parse()
	if err := run(*id, *dir, *listen, *peers, *requests, *noSync, *wait); err != nil {
		log.Fatal(err)
	}
}

func run(id, dir, listen, peers string, requests int, noSync bool, wait time.Duration) error {
	out, err := os.Create(filepath.Join(dir, "events.json"))
	if err != nil {
		return err
	}
	defer out.Close()
	logs := slog.New(slog.NewJSONHandler(out, nil)).With("node", id)

	config := raft.DefaultConfig()
	config.LocalID = raft.ServerID(id)
	config.Logger = hclog.New(&hclog.LoggerOptions{Output: out, JSONFormat: true, Level: hclog.Info, Name: "raft"})
	config.SnapshotThreshold = 1 << 40
	transport, err := raft.NewTCPTransport(listen, nil, 3, 5*time.Second, io.Discard)
	if err != nil {
		return err
	}
	entries, err := raftboltdb.New(raftboltdb.Options{Path: filepath.Join(dir, "raft.db"), NoSync: noSync})
	if err != nil {
		return err
	}
	node, err := raft.NewRaft(config, &store{logs}, entries, raft.NewInmemStore(), raft.NewDiscardSnapshotStore(), transport)
	if err != nil {
		return err
	}
	var servers []raft.Server
	for _, peer := range strings.Split(peers, ",") {
		name, address, _ := strings.Cut(peer, "=")
		servers = append(servers, raft.Server{ID: raft.ServerID(name), Address: raft.ServerAddress(address)})
	}
	if err := node.BootstrapCluster(raft.Configuration{Servers: servers}).Error(); err != nil {
		return err
	}
	until := time.After(wait)
	for {
		select {
		case <-until:
			return node.Shutdown().Error()
		case leads := <-node.LeaderCh():
			if leads {
				serve(node, logs, requests)
			}
		}
	}
}

// serve stores keys one after another, as one client would.
func serve(node *raft.Raft, logs *slog.Logger, requests int) {
	value, _ := json.Marshal(strings.Repeat("x", 512))
	for number := range requests {
		key := fmt.Sprintf("key-%012d", number)
		logs.Info("request received", "key", key)
		if err := node.Apply(append([]byte(key), value...), 5*time.Second).Error(); err != nil {
			logs.Error("request failed", "key", key, "error", err.Error())
			continue
		}
		logs.Info("request answered", "key", key)
		time.Sleep(2 * time.Millisecond)
	}
}
