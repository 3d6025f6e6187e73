package io.shardmark.systemtest;

import java.util.List;

/** Mistakes of users, as {@link BadInputTableTest} tries them. */
final class BadInputs {
  private BadInputs() {}

  /**
   * One mistake.
   *
   * @param command words after {@code driver.jar}; a word that begins with {@code @} is a file
   * @param lines changes to props.pg, or the changed lines of proxy.yaml; parted by {@code ;}
   * @param status what the command must exit with
   */
  record Mistake(String command, String lines, int status) {}

  private static Mistake usage(String command) {
    return new Mistake(command, "", 2);
  }

  private static Mistake refused(String command, String lines) {
    return new Mistake(command, lines, 1);
  }

  /** Words that are no command, no option, and no key with its value. */
  static List<Mistake> wordsOfCommandLines() {
    return List.of(
        usage("buidl"),
        usage("buidl @props.pg"),
        usage("help buidl"),
        usage("xyzzy"),
        usage("--nonsense"),
        usage("@props.pg terminals=5"),
        usage("run @props.pg terminals=5"),
        usage("run @props.pg terminals"),
        usage("run @props.pg terminal 5"),
        usage("run @props.pg terminals 5 10"),
        usage("run @props.pg pasword=x"),
        usage("run"),
        usage("run @props.pg --fast"),
        usage("build"),
        usage("build @props.pg warehouse 5"),
        usage("load @props.pg loadWorkers=2"),
        usage("destroy @props.pg now"),
        usage("--version now"),
        usage("run @props.pg TERMINALS=2"),
        usage("verify"),
        usage("acid"),
        usage("reset"),
        usage("sweep @props.pg --terminals 5 --until 2%"),
        usage("sweep @props.pg --terminals 5 --reset --build each"),
        usage("verify @props.pg quickly"),
        usage("sql @props.pg"),
        usage("sql @props.pg tableCreates twice"),
        usage("report"),
        usage("compare"),
        usage("compare --output"),
        usage("compare a= @run"),
        refused("merge @whole", ""),
        usage("repeat oracle"),
        usage("repeat klustron --rows 21"),
        usage("repeat klustron --full"),
        usage("repeat infinisql --rows 3"),
        usage("repeat klustron --full network=@props.pg"),
        usage("repeat klustron @props.pg"),
        usage("repeat klustron --small --full"),
        usage("sweep --terminals 5"),
        usage("sweep @props.pg"),
        usage("sweep @props.pg --terminals 1,x"),
        usage("sweep @props.pg --terminals 5,5"),
        usage("sweep @props.pg --terminals 5 --repeat 0"),
        usage("sweep @props.pg --terminals 5 --settle soon"),
        usage("sweep @props.pg --terminals 5 --build often"),
        usage("sweep @props.pg --terminals 5 --hold 70"),
        usage("sweep @props.pg --search fame"),
        usage("sweep @props.pg --search tpmC --terminals 5"),
        usage("sweep @props.pg --terminals 5 runMinz 1"),
        usage("sweep @props.pg --terminals 5 runMins"),
        usage("sweep @props.pg --terminals 5 password x"),
        usage("sweep @props.pg --terminals 5 --param retries"),
        usage("sweep @props.pg --terminals 5 --param retries=1,1"),
        usage("sweep @props.pg --terminals 5 --param terminals=1,2"),
        usage("sweep @props.pg --terminals 5 --param retries=1,2 retries 3"),
        usage("sweep --resume @empty --hold 70"));
  }

  /** Files and directories that are not what they should be. */
  static List<Mistake> files() {
    return List.of(
        refused("run @props.none", ""),
        refused("build @empty", ""),
        refused("sweep @props.none --terminals 5", ""),
        refused("sweep --resume @empty", ""),
        refused("sweep @props.pg --terminals 5 --output @props.pg", ""),
        refused("sql @props.pg nofile.sql", ""),
        refused("sql @props.pg @none/tables.sql", ""),
        refused("sql @props.pg tableCreate", ""),
        refused("report @empty", ""),
        refused("report @none", ""),
        refused("report @props.pg", ""),
        refused("report @damaged", ""),
        refused("compare @empty", ""),
        refused("compare @none", ""),
        refused("compare @run @run", ""),
        refused("compare a=@run b=@run", ""),
        refused("merge @whole @empty", ""),
        refused("load @props.pg fileLocation @none/csv/", ""),
        refused("run @props.pg", "terminals=\\u00zz"));
  }

  /** Values that cannot be used, in the file or on the command line. */
  static List<Mistake> values() {
    return List.of(
        refused("run @props.pg terminals 99999999999", ""),
        refused("run @props.pg runMins 99999999999", ""),
        refused("run @props.pg", "terminals=;TERMINALS=2"),
        refused("run @props.pg", "db=informix"),
        refused("run @props.pg", "db=mysql"),
        refused("run @props.pg", "db="),
        refused("run @props.pg db oracle", ""),
        refused("run @props.pg", "conn=postgres://localhost/x"),
        refused("run @props.pg", "conn=embedded:mysql"),
        refused("run @props.pg", "conn=jdbc:postgresql://localhost/x?unixSocket=/nowhere/socket"),
        refused("run @props.pg", "conn=embedded:sharded?proxies=0"),
        refused("run @props.pg", "driver=org.nowhere.Driver"),
        refused("run @props.pg", "driver=io.shardmark.driver.Main"),
        refused("run @props.pg", "user="),
        refused("run @props.pg", "warehouses=0"),
        refused("run @props.pg warehouses many", ""),
        refused("run @props.pg", "terminals=-3"),
        refused("run @props.pg terminals 1e3", ""),
        refused("run @props.pg", "connections=0"),
        refused("run @props.pg", "cpus=9999"),
        refused("run @props.pg cpus first", ""),
        refused("run @props.pg", "runMins=-1"),
        refused("run @props.pg", "runMins=1,5"),
        refused("run @props.pg runMins 1", "runMins=;runTxnsPerTerminal=10"),
        refused("run @props.pg runTxnsPerTerminal 10", ""),
        refused("run @props.pg", "runMins="),
        refused("run @props.pg", "rampupMins=1;runMins=0;runTxnsPerTerminal=10"),
        refused("run @props.pg", "paymentWeight=90"),
        refused("run @props.pg paymentWeight 90", ""),
        refused("run @props.pg", "newOrderWeight=45.5"),
        refused("run @props.pg", "statementProfile=fast"),
        refused("run @props.pg", "useStoredProcedures=true;statementProfile=batched"),
        refused("run @props.pg", "isolation=chaos"),
        refused(
            "run @props.pg",
            "isolation=repeatable_read;db=oracle;conn=jdbc:oracle:thin:@//127.0.0.1/x"),
        refused("run @props.pg", "openLoopTxnsPerMin=600;limitTxnsPerMin=600"),
        refused("run @props.pg", "stages=10m:5000, 10m"),
        refused("run @props.pg", "stages=1m:600;runMins=5"),
        refused("run @props.pg", "stages=1m:600;runMins=0;openLoopTxnsPerMin=600"),
        refused("run @props.pg", "conn=null:;resultDirectory=run"),
        refused("run @props.pg", "conn=null:;resultDirectory=none/result"),
        refused("run @props.pg", "resultDirectory=result_%tX"),
        refused("run @props.pg", "metricsPort=70000"),
        refused("run @props.pg", "failOn=errors>one%"),
        refused("run @props.pg", "failOn=errors>1%, p99>500"),
        refused("run @props.pg", "failOn=audit!=good"),
        refused("run @props.pg failOn limits<met", ""),
        refused("run @props.pg", "drivers=2"),
        refused("run @props.pg", "drivers=2;driverIndex=2"),
        refused("run @props.pg", "drivers=2;driverIndex=0;startAt=noon"),
        refused("run @props.pg", "drivers=2;driverIndex=0;startAt=2030-01-31T14:00:00Z"),
        refused("run @props.pg", "events=60s crash"),
        refused("run @props.pg", "events=90s a: true"),
        refused("run @props.pg", "events=9s a: @kil for 3s"),
        refused("run @props.pg", "events=20s a: true; 10s b: true"),
        refused("run @props.pg", "checkEvery=30"),
        refused("run @props.pg", "checkEvery=30s;conn=null:"),
        refused("run @props.pg", "idleSessions=-1"),
        refused("run @props.pg", "idleSessions=10"),
        refused("run @props.pg", "idleSessions=10;idleQuietSecs=0;idleSources=localhost"),
        refused("run @props.pg", "idleSessions=10;idleQuietSecs=0;db=oracle"),
        refused("run @props.pg", "idleSessions=10;idleQuietSecs=0;conn=null:"),
        refused("run @props.pg", "idleSessions=10;idleQuietSecs=0;runMins=0;runTxnsPerTerminal=9"),
        refused("run @props.pg", "rampupMins=auto:soon"),
        refused("run @props.pg", "rampupMins=auto;idleSessions=10"),
        refused("run @props.pg", "systemPrice=cheap"),
        refused("run @props.pg", "pricePerHour=3,20 EUR"),
        refused("run @props.pg", "acid=true;drivers=2;driverIndex=0;warehouses=2"),
        refused("run @props.pg", "acid=true;conn=null:"),
        refused("run @props.pg", "acid=perhaps"),
        refused("run @props.pg", "seed=today"),
        refused("run @props.pg", "newOrderRemotePercent=101"),
        refused("build @props.pg loadWorkers 0", ""),
        refused("build @props.pg", "conn=null:"),
        refused("load @props.pg", "warehouses=100000"),
        refused("load @props.pg", "warehouseTo=3"),
        refused("load @props.pg", "loadDirect=perhaps"),
        refused("build @props.pg", "evenShards=perhaps"),
        refused("sweep @props.pg --terminals 5", "drivers=2"),
        refused("sweep @props.pg --terminals 5 --param retry=1,2", ""),
        refused("sweep @props.pg --terminals 5 --param shard=1,2", "conn=embedded:sharded"),
        refused("sweep @props.pg --search tpmC", "limitTxnsPerMin=300"));
  }

  /** Other workloads than TPC-C, whose keys the file has; a key of another workload is none. */
  static List<Mistake> workloads() {
    return List.of(
        refused("run @props.pg", "workload=tpc"),
        usage("run @props.pg tableSize 5"),
        refused("run @props.pg", "workload=tpcc;table_size=5;scale=5"),
        refused("run @props.pg", "workload=tpcb"),
        refused("build @props.pg", "workload=sysbench-oltp"),
        refused("run @props.pg", "workload=bmt"),
        refused("run @props.pg", "workload=script:my.sql"),
        usage("run @props.pg workload tpcb warehouses 5"),
        usage("run @props.pg workload sysbench-oltp scale 5"),
        refused("run @props.pg workload tpcb scale 0", ""),
        refused("run @props.pg workload tpcb scale 2 rowsPerTable 5", ""),
        refused("run @props.pg workload tpcb transactions tpcb", ""),
        refused("run @props.pg workload tpcb", "transactions=tpcb-like@0"),
        refused("run @props.pg workload tpcb statements fast", ""),
        refused("run @props.pg workload tpcb", "db=mysql;conn=jdbc:mariadb://127.0.0.1/x"),
        refused("run @props.pg workload sysbench-oltp sysbenchTest oltp_write", ""),
        refused("run @props.pg workload sysbench-oltp tableSize 0", ""),
        refused("run @props.pg workload sysbench-oltp randType parreto", ""),
        refused("run @props.pg workload sysbench-oltp skipTrx maybe", ""),
        refused("run @props.pg workload sysbench-oltp randType pareto randParetoH 1", ""),
        refused("run @props.pg workload tpcb", ""),
        refused("verify @props.pg workload sysbench-oltp", ""),
        refused("acid @props.pg workload tpcb", ""),
        refused("acid @props.pg --result none", ""),
        refused("run @props.pg workload tpcb acid true", ""),
        refused("reset @props.pg workload tpcb", ""),
        refused("acid @props.pg acid.crash ./crash.sh", ""),
        refused("acid @props.pg acid.orders 0", ""),
        refused("run @props.pg workload tpcb scale 3", "conn=LOADED"),
        refused("run @props.pg workload tpcb scale 2 statements function", "conn=LOADED"),
        refused(
            "run @props.pg workload tpcb scale 2 transactions no-history statements function",
            "conn=LOADED"),
        refused("run @props.pg workload sysbench-oltp tableSize 500", "conn=LOADED"),
        refused(
            "run @props.pg workload sysbench-oltp tables 2 tableSize 400 createSecondary false",
            "conn=LOADED"),
        refused("run @props.pg workload sysbench-oltp tableSize 400", "conn=LOADED"));
  }

  /** The published benchmark of single-row operations. */
  static List<Mistake> bmt() {
    return List.of(
        refused("run @props.pg workload bmt operations inserts", ""),
        refused("run @props.pg workload bmt", "operations=insert@0"),
        refused("run @props.pg workload bmt rows 25", ""),
        refused("run @props.pg workload bmt statementsPerCommit 0", ""),
        refused("run @props.pg workload bmt", "db=mysql;conn=jdbc:mariadb://127.0.0.1/x"),
        refused("run @props.pg workload bmt", ""),
        refused("run @props.pg workload bmt statementsPerCommit 20", "conn=LOADED"),
        refused("run @props.pg workload bmt operations select terminals 3", "conn=LOADED"),
        refused(
            "run @props.pg workload bmt operations delete terminals 2",
            "conn=LOADED;runMins=0;runTxnsPerTerminal=5"));
  }

  /** The published tests of replication. */
  static List<Mistake> replication() {
    return List.of(
        refused("run @props.pg workload replication operations select", ""),
        refused("run @props.pg workload replication", "operations=insert@0"),
        refused("run @props.pg workload replication rows 25", ""),
        refused("run @props.pg workload replication textWidth 20", ""),
        refused("run @props.pg workload replication terminals 257", ""),
        refused("run @props.pg workload replication standbyCommit maybe", ""),
        refused("run @props.pg workload replication logicalApply fast", ""),
        refused("run @props.pg workload replication standbyConn 10.0.0.2", ""),
        refused("run @props.pg workload replication", "db=mysql;conn=jdbc:mariadb://127.0.0.1/x"),
        refused("run @props.pg conn embedded:replicated?standby=warm", ""),
        refused("run @props.pg workload replication", ""));
  }

  /** Scripts; a file of the row has the text behind {@code SCRIPT=}, with ~ for ends of lines. */
  static List<Mistake> scripts() {
    return List.of(
        refused("run @props.pg workload script", ""),
        refused("run @props.pg workload script:@none.sql", ""),
        refused("run @props.pg workload script:@my.sql scriptVariables scale", "SCRIPT=SELECT 1"),
        new Mistake("run @props.pg workload script:@my.sql warehouses 5", "SCRIPT=SELECT 1", 2),
        refused("run @props.pg workload script:@my.sql", "SCRIPT=-- nothing"),
        refused("run @props.pg workload script:@my.sql", "SCRIPT=\\set a randon(1, 9)"),
        refused("run @props.pg workload script:@my.sql", "SCRIPT=\\set a random(1)"),
        refused("run @props.pg workload script:@my.sql", "SCRIPT=\\set a (1 + 2"),
        refused("run @props.pg workload script:@my.sql", "SCRIPT=~SELECT :aid"),
        refused("run @props.pg workload script:@my.sql", "SCRIPT=\\set a 1~SELECT ':a'"),
        refused("run @props.pg workload script:@my.sql", "SCRIPT=\\if 1~SELECT 1"),
        refused("run @props.pg workload script:@my.sql", "SCRIPT=SELECT 1~\\endif"),
        refused("run @props.pg workload script:@my.sql", "SCRIPT=\\startpipeline~SELECT 1"),
        refused("run @props.pg workload script:@my.sql", "SCRIPT=\\shell ls"),
        refused("run @props.pg workload script:@my.sql", "SCRIPT=SELECT 'a"),
        refused("build @props.pg workload script:@my.sql", "SCRIPT=SELECT 1"),
        refused("destroy @props.pg workload script:@my.sql", "SCRIPT=SELECT 1"),
        refused("verify @props.pg workload script:@my.sql", "SCRIPT=SELECT 1"),
        refused("sql @props.pg @my.sql", "SCRIPT=-- include sql.common/none.sql"));
  }

  /** What only the database knows. */
  static List<Mistake> databases() {
    return List.of(
        refused("run @props.pg", "conn=jdbc:postgresql://127.0.0.1:CLOSED/bench"),
        refused("verify @props.pg", "conn=jdbc:postgresql://nowhere.invalid/bench"),
        refused("run @props.pg", "user=nobody"),
        refused("run @props.pg", "conn=jdbc:postgresql://127.0.0.1:SERVER/nodatabase"),
        refused("run @props.pg", ""),
        refused("load @props.pg", ""),
        refused("verify @props.pg", ""),
        refused("run @props.pg warehouses 5", "conn=LOADED"),
        refused("run @props.pg statementProfile procedures", "conn=LOADED"),
        refused("build @props.pg", "conn=LOADED"));
  }

  /** Lines of proxy.yaml in place of those with the same key; {@code -key} takes one away. */
  static List<Mistake> proxyConfigurations() {
    return List.of(
        refused("proxy", "-shards"),
        refused("proxy", "shards: []"),
        refused("proxy", "shards: [{name: s1, host: h, port: 0, database: b}]"),
        refused("proxy", "shards: [{name: s1, hosts: [h], database: b}]"),
        refused("proxy", "shards: [{name: s1, host: h, hosts: [h:1], database: b}]"),
        refused(
            "proxy",
            "shards: [{name: s1, host: h, database: b}, {name: s1, host: i, database: b}]"),
        refused("proxy", "shards: [{host: h, database: b}]"),
        refused("proxy", "-users"),
        refused("proxy", "users: [{name: bench}]"),
        refused("proxy", "users: [{name: bench, password: \"${NOT_SET_ANYWHERE}\"}]"),
        refused("proxy", "listen: nowhere"),
        refused("proxy", "pool_size: 0"),
        refused("proxy", "pool_size: many"),
        refused("proxy", "cpus: 0,9999"),
        refused("proxy", "pool_mode: statement"),
        refused("proxy", "pool_wait_timeout: soon"),
        refused("proxy", "scatter_memory_limit: 64"),
        refused("proxy", "max_client: 10"),
        refused("proxy", "auth: none"),
        refused("proxy", "tls: {certificate: missing.pem, key: missing.key}"),
        refused("proxy", "listen: [1"));
  }
}
