//! The options of fio that say what a job does, beside the most frequent ones.

use super::format::{Key, Role};

pub(super) const KEYS: &[Key] = &[
    Key::of_work("rwmixwrite", Role::Setting, "share of writes in per cent").detail(),
    Key::of_work("bsrange", Role::Setting, "sizes of an operation, from and to").detail(),
    Key::of_work("bssplit", Role::Setting, "sizes of operations with their shares").detail(),
    Key::of_work(
        "io_size",
        Role::Setting,
        "bytes that the job reads and writes, where it is not the size of the file",
    )
    .detail(),
    Key::of_work("fsync", Role::Setting, "operations until data are written to the device").detail(),
    Key::of_work("fdatasync", Role::Setting, "the same without data of the file system").detail(),
    Key::of_work("sync", Role::Setting, "whether each write goes to the device").detail(),
    Key::of_work("end_fsync", Role::Setting, "whether data are written to the device at the end").detail(),
    Key::of_work("thinktime", Role::Setting, "microseconds between operations").detail(),
    Key::of_work("thinktime_blocks", Role::Setting, "operations until such a pause").detail(),
    Key::of_work("random_distribution", Role::Setting, "how the places of random operations are spread")
        .detail(),
    Key::of_work("percentage_random", Role::Setting, "share of random operations in per cent").detail(),
    Key::of_work("iodepth_batch", Role::Setting, "number of operations that are issued at once").detail(),
    Key::of_work("nrfiles", Role::Setting, "number of files").detail(),
    Key::of_work("buffered", Role::Setting, "whether the cache of the system is used").detail(),
    Key::of_work("verify", Role::Setting, "how data that are read are verified").detail(),
    Key::of_work(
        "buffer_compress_percentage",
        Role::Setting,
        "share by which data can be compressed, in per cent",
    )
    .detail(),
    Key::of_work("zonemode", Role::Setting, "how the device is divided into zones").detail(),
];
